/* The values of the export, and what is recorded of a state. */

static void set_quantity(simulation *s, int k, double value)
{
    const int index = quantities[k].index;
    switch (quantities[k].kind) {
    case 'p': s->p[index] = (real)value; break;
    case 'd': s->d[index] = (real)value; break;
    case 'x': s->start[index] = (real)value; break;
    default: s->settings[index] = value;
    }
}

void ${name}_defaults(simulation *s)
{
    memset(s, 0, sizeof *s);
    for (int k = 0; k < QUANTITIES; ++k)
        set_quantity(s, k, quantities[k].value);
    s->method = METHOD;
}

/* The quaternion of a rotation matrix, from the largest of its components. */
static void quaternion_of(const real *R, real *q)
{
    const real a[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8]};
    const real x = R[7] - R[5], y = R[2] - R[6], z = R[3] - R[1], xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    const real rows[4][4] = {{a[0], x, y, z}, {x, a[1], xy, xz}, {y, xy, a[2], yz}, {z, xz, yz, a[3]}};
    int largest = 0;
    real length = 0;
    for (int k = 1; k < 4; ++k)
        if (a[k] > a[largest])
            largest = k;
    for (int k = 0; k < 4; ++k)
        length += rows[largest][k]*rows[largest][k];
    for (int k = 0; k < 4; ++k)
        q[k] = rows[largest][k]/(real)sqrt(length);
}

void ${name}_values(const simulation *s, double t, const real *x, real *record)
{
    real poses[12*BODIES + 1], energy[2];
    const real at = (real)t;
    memcpy(record, x, N*sizeof *x);
${record_call}
    record[ENERGY] = energy[0];
    record[ENERGY + 1] = energy[1];
    record[ENERGY + 2] = energy[0] + energy[1];
    for (int k = 0; k < BODIES; ++k) {
        memcpy(record + POSES + 7*k, poses + 12*k + 9, 3*sizeof *record);
        quaternion_of(poses + 12*k, record + POSES + 7*k + 3);
    }
    for (int k = 0; k < HELD; ++k)
        record[HELD_PLACE + k] = s->d[held_places[k]];
}
