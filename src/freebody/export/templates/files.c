/* Parameter files: lines NAME = VALUE [UNIT], with # before comments. Nothing in them is evaluated. */

static char *trimmed(char *text)
{
    char *end;
    while (*text == ' ' || *text == '\t')
        ++text;
    end = text + strlen(text);
    while (end > text && strchr(" \t\r\n", end[-1]) != NULL)
        *--end = '\0';
    return text;
}

/* The characters of a decimal number at the start of a text: 12, -0.5, 1e-3; 0 if there is none. */
static size_t number_length(const char *text)
{
    size_t k = 0, digits, end;
    if (text[k] == '+' || text[k] == '-')
        ++k;
    digits = strspn(text + k, "0123456789");
    k += digits;
    if (text[k] == '.') {
        const size_t more = strspn(text + k + 1, "0123456789");
        digits += more;
        k += more + 1;
    }
    if (digits == 0)
        return 0;
    if (text[k] == 'e' || text[k] == 'E') {
        end = k + 1;
        if (text[end] == '+' || text[end] == '-')
            ++end;
        digits = strspn(text + end, "0123456789");
        if (digits > 0)
            k = end + digits;
    }
    return k;
}

static int fail_line(simulation *s, const char *path, int line, const char *what, const char *detail, const char *more)
{
    snprintf(s->message, sizeof s->message, "%.100s:%d: %.60s'%.60s'%.120s", path, line, what, detail, more);
    return 1;
}

/* A line of a parameter file; ``user`` says in which set of units numbers without one are, ``given`` what was set. */
static int read_line(simulation *s, const char *path, int line, char *text, int *user, unsigned char *given)
{
    char *value, *unit, *name = trimmed(text);
    double number, factor = 1.0;
    size_t length;
    int k = 0, set, found = 0;
    if ((value = strchr(text, '#')) != NULL)
        *value = '\0';
    name = trimmed(text);
    if (*name == '\0')
        return 0;
    if ((value = strchr(name, '=')) == NULL)
        return fail_line(s, path, line, "NAME = VALUE [UNIT] is needed, not ", name, "");
    *value++ = '\0';
    name = trimmed(name);
    value = trimmed(value);
    if (strcmp(name, "units") == 0) {
        *user = strcmp(value, "user") == 0;
        return *user || strcmp(value, "si") == 0 ? 0 : fail_line(s, path, line, "units is si or user, not ", value, "");
    }
    if (strcmp(name, "run.method") == 0) {
        for (s->method = 0; s->method < METHODS; ++s->method)
            if (strcmp(value, methods[s->method]) == 0)
                return 0;
        s->method = METHOD;
        return fail_line(s, path, line, "run.method is " METHOD_NAMES ", not ", value, "");
    }
    while (k < QUANTITIES && strcmp(name, quantities[k].name) != 0)
        ++k;
    if (k == QUANTITIES)
        return fail_line(s, path, line, "there is no ", name, "; the file that was exported lists all names");
    if (given[k]++)
        return fail_line(s, path, line, "", name, " is given twice");
    length = number_length(value);
    if (length == 0)
        return fail_line(s, path, line, "", value, " is not a number");
    unit = trimmed(value + length);
    number = strtod(value, NULL);
    set = quantities[k].units;
    if (*unit == '\0') {
        factor = *user ? units[user_units[set]].factor : 1.0;
        found = 1;
    }
    for (int u = unit_sets[set]; u < unit_sets[set + 1] && !found; ++u)
        if (strcmp(unit, units[u].name) == 0) {
            factor = units[u].factor;
            found = 1;
        }
    if (!found) {
        char more[120];
        snprintf(more, sizeof more, " is no unit of %.40s, which is in %.40s", name, units[unit_sets[set]].name);
        return fail_line(s, path, line, "", unit, more);
    }
    if (!isfinite(number*factor))
        return fail_line(s, path, line, "", value, " is too large");
    set_quantity(s, k, number*factor);
    return 0;
}

static int check_settings(simulation *s, const char *path)
{
    const double *const v = s->settings;
    const char *what = NULL;
    if (!(v[END] > START))
        what = "run.end must be later than the start";
    else if (!(v[ROWS] >= 1 && v[ROWS] <= 1e9 && floor(v[ROWS]) == v[ROWS]))
        what = "run.rows must be a whole number from 1 on";
    else if (s->method == RK4 && !(v[STEP] > 0))
        what = "run.method = rk4 needs a positive run.step";
    else if (!(v[RTOL] >= 0 && v[ATOL] > 0))
        what = "run.rtol must not be negative, and run.atol must be positive";
    else if (!(v[FIRST_STEP] >= 0 && v[MAX_STEP] >= 0 && v[MAX_STEPS] >= 0))
        what = "run.first_step, run.max_step and run.max_steps must not be negative";
#if SEED >= 0
    else if (!(s->d[SEED] >= 0 && s->d[SEED] < 281474976710656.0 && floor(s->d[SEED]) == s->d[SEED]))
        what = "run.seed must be a whole number from 0 to below 2^48";
#endif
    if (what == NULL)
        return 0;
    snprintf(s->message, sizeof s->message, "%.100s: %s", path, what);
    return 1;
}

int ${name}_read(simulation *s, const char *path)
{
    char text[400];
    unsigned char given[QUANTITIES] = {0};
    int line = 0, user = 0, failed = 0;
    FILE *const file = fopen(path, "r");
    if (file == NULL) {
        snprintf(s->message, sizeof s->message, "%.200s: the parameter file cannot be opened", path);
        return 1;
    }
    while (!failed && fgets(text, sizeof text, file) != NULL) {
        ++line;
        if (strlen(text) == sizeof text - 1)
            failed = fail_line(s, path, line, "", "the line", " is too long");
        else
            failed = read_line(s, path, line, text, &user, given);
    }
    if (!failed && ferror(file))
        failed = fail_line(s, path, line, "", "the file", " cannot be read");
    fclose(file);
    return failed || check_settings(s, path);
}

/* NetCDF (the classic format with offsets of 64 bits): big-endian numbers, names and texts padded to 4 bytes. Without a
 * file, what is written is only counted. */
typedef struct {
    FILE *file;
    double count;
} Output;

static void put(Output *o, const void *bytes, size_t count)
{
    if (o->file != NULL)
        fwrite(bytes, 1, count, o->file);
    o->count += (double)count;
}

static void put_integer(Output *o, uint64_t value, int bytes)
{
    unsigned char big[8];
    for (int k = 0; k < bytes; ++k)
        big[k] = (unsigned char)(value >> 8*(bytes - 1 - k));
    put(o, big, (size_t)bytes);
}

static void put_number(Output *o, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(o, bits, 8);
}

static void put_padding(Output *o, size_t length)
{
    put(o, "\0\0\0", (4 - length%4)%4);
}

static void put_text(Output *o, const char *text)
{
    const size_t length = strlen(text);
    put_integer(o, length, 4);
    put(o, text, length);
    put_padding(o, length);
}

static void put_attribute(Output *o, const char *name, const char *text)
{
    put_text(o, name);
    put_integer(o, 2, 4); /* characters */
    put_text(o, text);
}

/* What freebody knows of a run: pieces of JSON, and between them what this run has found. */
static void put_facts(const simulation *s, Output *o)
{
    for (int k = 0; k < FACTS; ++k) {
        char text[512] = "";
        const int what = facts[k].value;
        if (facts[k].text != NULL)
            snprintf(text, sizeof text, "%s", facts[k].text);
        else if (what >= 0)
            snprintf(text, sizeof text, "%.17g", (double)s->p[what]);
        else switch (what) {
        case -1: snprintf(text, sizeof text, "%d", s->status); break;
        case -2: snprintf(text, sizeof text, "\"%s\"", s->message); break;
        case -3: snprintf(text, sizeof text, "\"%s\"", methods[s->method]); break;
        case -4: snprintf(text, sizeof text, "%ld", s->steps); break;
        case -5: snprintf(text, sizeof text, "%ld", s->rejected); break;
        case -6: snprintf(text, sizeof text, "%ld", s->evaluations); break;
        case -7: snprintf(text, sizeof text, "%ld", s->projections); break;
        default: snprintf(text, sizeof text, "%.6f", s->seconds);
        }
        put(o, text, strlen(text));
    }
}

static void put_variable(Output *o, const char *name, int first, int second, const char *key, const char *unit,
                         const char *about, double size, double *begin)
{
    const int dims = (first >= 0) + (second >= 0), attributes = (key[0] != 0) + (unit[0] != 0) + (about[0] != 0);
    put_text(o, name);
    put_integer(o, (uint64_t)dims, 4);
    put_integer(o, (uint64_t)first, 4);
    if (second >= 0)
        put_integer(o, (uint64_t)second, 4);
    put_integer(o, attributes ? 12 : 0, 4);
    put_integer(o, (uint64_t)attributes, 4);
    if (key[0])
        put_attribute(o, "key", key);
    if (unit[0])
        put_attribute(o, "units", unit);
    if (about[0])
        put_attribute(o, "long_name", about);
    put_integer(o, 6, 4); /* double */
    put_integer(o, size < 4e9 ? (uint64_t)size : UINT32_MAX, 4);
    put_integer(o, (uint64_t)*begin, 8);
    *begin += size;
}

static double put_header(const simulation *s, Output *o, double length)
{
    const int events = s->happened > 0, held = SAMPLES > 0, held_dimension = DIMENSIONS + events;
    Output count = {NULL, 0.0};
    double begin = length;
    put_facts(s, &count);
    put(o, "CDF\2", 4);
    put_integer(o, (uint64_t)s->saved, 4);
    put_integer(o, 10, 4);
    put_integer(o, (uint64_t)(DIMENSIONS + events + 2*held), 4);
    for (int k = 0; k < DIMENSIONS; ++k) {
        put_text(o, dimensions[k].name);
        put_integer(o, (uint64_t)dimensions[k].size, 4); /* 0: grows */
    }
    if (events) {
        put_text(o, "event");
        put_integer(o, (uint64_t)s->happened, 4);
    }
    if (held) {
        put_text(o, "held");
        put_integer(o, (uint64_t)s->held_count, 4);
        put_text(o, "switch");
        put_integer(o, HELD, 4);
    }
    put_integer(o, 12, 4);
    put_integer(o, 2, 4);
    put_attribute(o, "title", TITLE);
    put_text(o, "freebody");
    put_integer(o, 2, 4);
    put_integer(o, (uint64_t)count.count, 4);
    put_facts(s, o);
    put_padding(o, (size_t)count.count);
    put_integer(o, 11, 4);
    put_integer(o, (uint64_t)(VARIABLES + 2 + 2*held + (events ? 4 + 2*held : 0)), 4);
    if (events) {
        const double rows = (double)s->happened;
        put_variable(o, "event_time", DIMENSIONS, -1, "", "s", "", 8*rows, &begin);
        put_variable(o, "event_index", DIMENSIONS, -1, "", "", "", 8*rows, &begin);
        put_variable(o, "event_before", DIMENSIONS, 1, "", "", "", 8*N*rows, &begin);
        put_variable(o, "event_after", DIMENSIONS, 1, "", "", "", 8*N*rows, &begin);
        if (held) {
            put_variable(o, "event_switches_before", DIMENSIONS, held_dimension + 1, "", "", "", 8*HELD*rows, &begin);
            put_variable(o, "event_switches_after", DIMENSIONS, held_dimension + 1, "", "", "", 8*HELD*rows, &begin);
        }
    }
    if (held) {
        const double rows = (double)s->held_count;
        put_variable(o, "held_time", held_dimension, -1, "", "s", "", 8*rows, &begin);
        put_variable(o, "held_values", held_dimension, held_dimension + 1, "", "", "", 8*HELD*rows, &begin);
    }
    put_variable(o, "time", 0, -1, "", "s", "time", 8, &begin);
    put_variable(o, "x_dot", 0, 1, "", "", "", 8*N, &begin);
    for (int k = 0; k < VARIABLES; ++k)
        put_variable(o, variables[k].name, 0, variables[k].dimension, variables[k].key, variables[k].unit,
                     variables[k].about, 8*variables[k].count, &begin);
    return o->count;
}

/* The numbers of the events, one part after the other. */
static void put_events(const simulation *s, Output *o)
{
    double pair[2];
    real sides[2][N], held[HELD + 1];
    for (int part = 0; part < (HELD ? 6 : 4); ++part) { /* time, index, state and held values before and after */
        rewind(s->events);
        for (long k = 0; k < s->happened; ++k) {
            if (fread(pair, sizeof pair, 1, s->events) != 1 || fread(sides, sizeof sides, 1, s->events) != 1)
                return;
            if (fread(held, sizeof *held, HELD, s->events) != HELD)
                return;
            if (part < 2)
                put_number(o, pair[part]);
            for (int i = 0; (part == 2 || part == 3) && i < N; ++i)
                put_number(o, sides[part - 2][i]);
            for (int i = 0; part >= 4 && i < HELD; ++i)
                put_number(o, held[i]);
        }
    }
}

/* The next held values, and the time from which on they hold; 0 if there are no more. */
static int read_held(const simulation *s, double *t, real *values)
{
    return fread(t, sizeof *t, 1, s->held) == 1 && fread(values, sizeof *values, HELD, s->held) == HELD;
}

static void put_held(const simulation *s, Output *o)
{
    double t;
    real values[HELD + 1];
    for (int part = 0; part < 2; ++part) {
        rewind(s->held);
        for (long k = 0; k < s->held_count && read_held(s, &t, values); ++k) {
            if (part == 0)
                put_number(o, t);
            for (int i = 0; part == 1 && i < HELD; ++i)
                put_number(o, values[i]);
        }
    }
}

int ${name}_write(simulation *s, const char *path)
{
    Output counted = {NULL, 0.0}, o = {fopen(path, "wb"), 0.0};
    real x[N], record[${record_size}], held[HELD + 1];
    double held_time = 0.0;
    long held_read = 0;
    static real turn[4*BODIES + 1]; /* quaternions of the row before: their signs change without a jump */
    int failed;
    if (o.file == NULL) {
        snprintf(s->message, sizeof s->message, "%.200s: the file cannot be written", path);
        return 1;
    }
    put_header(s, &o, put_header(s, &counted, 0.0));
    if (s->happened > 0)
        put_events(s, &o);
    if (SAMPLES)
        put_held(s, &o);
    rewind(s->rows);
    rewind(s->held);
    if (s->held_count > 0)
        read_held(s, &held_time, held);
    for (long k = 0; k < s->saved; ++k) {
        double t;
        if (fread(&t, sizeof t, 1, s->rows) != 1 || fread(x, sizeof *x, N, s->rows) != N)
            break;
        for (; held_read < s->held_count && held_time <= t; ++held_read) { /* what is held at this time */
            for (int i = 0; i < HELD; ++i)
                s->d[held_places[i]] = held[i];
            if (held_read + 1 < s->held_count)
                read_held(s, &held_time, held);
        }
        ${name}_values(s, t, x, record);
        for (int b = 0; b < BODIES; ++b) {
            real *const q = record + POSES + 7*b + 3, *const last = turn + 4*b;
            const real along = q[0]*last[0] + q[1]*last[1] + q[2]*last[2] + q[3]*last[3];
            for (int c = 0; c < 4; ++c)
                last[c] = q[c] = k > 0 && along < 0 ? -q[c] : q[c];
        }
        put_number(&o, t);
        for (int i = 0; i < N; ++i)
            put_number(&o, record[N + i]);
        for (int v = 0; v < VARIABLES; ++v)
            for (int i = 0; i < variables[v].count; ++i)
                put_number(&o, record[variables[v].start + i]);
    }
    failed = ferror(o.file) || ferror(s->rows) || ferror(s->events);
    if (fclose(o.file) || failed) {
        snprintf(s->message, sizeof s->message, "%.200s: the file cannot be written whole", path);
        return 1;
    }
    return 0;
}
