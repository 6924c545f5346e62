/* The integrator: steps of the methods, projection to the constraints, saved rows, events, samples. A step's size is
 * controlled as by E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential Equations I, II.4. */

enum { DONE, EVENT, UNDERFLOW_OF_STEP, NOT_FINITE, STALLED, OFF_CONSTRAINTS, UNDEFINED, TOO_MANY };

#define CALLS 6 /* the most corrections of a projection; the last may change more by this factor: */
#define LAST 1e4
#define SURPRISE 100.0 /* the square of an error beyond which a step is repeated with projected stages */
#define ACROSS 100.0
#define CONTRADICTS 1e8 /* the square of a saved state's distance from the equations beyond which a step is repeated */
#define SHORTER 0.25
#define STRETCH (1 + 1e-6)
#define FINE 2.2e-15
#define NEGLIGIBLE 1e-21
#define MEMORY 1e-4 /* the smallest error that the controller remembers */
#define PATIENCE 1e5
#define SLOW 1e14
#define HOPELESS 1e17
#define PARTS 5 /* of a step that are searched for events */
#define PROBE 1e-6
#define NEVER 2.0
#define SAME 4.5e-16

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
}

static double inside(const simulation *s, double t)
{
    return least_of(most_of(t, s->low), s->high);
}

/* The derivative at a time, on this side of the next break point. */
static void evaluate(simulation *s, double t, const real *x, real *out)
{
    rates(s, (real)inside(s, t), x, out);
    ++s->evaluations;
}

static void normalise(real *x)
{
    for (int k = 0; k < QUATERNIONS; ++k) {
        real *const q = x + quaternions[k];
        const real length = (real)sqrt(q[0]*q[0] + q[1]*q[1] + (q[2]*q[2] + q[3]*q[3]));
        for (int c = 0; c < 4; ++c)
            q[c] /= length;
    }
}

static int finite_row(const real *x)
{
    for (int i = 0; i < N; ++i)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

/* Moves a state to the constraints at a time; 1 where that fails or moves it farther than so many tolerances. */
static int project(simulation *s, double t, real *row, double far)
{
#if PROJECTS
    real before[N], corrected[N];
    int active = 1, failed = 0;
    const real at = (real)inside(s, t);
    memcpy(before, row, sizeof before);
    for (int calls = 1; active && calls <= CALLS; ++calls) {
        int moving = 0, lost = 0;
        const double scale = calls == CALLS ? LAST : 1.0;
        for (int i = 0; calls > 1 && i < N; ++i)
            if (isinf(s->near[i]))
                row[i] = before[i];
        correct(s, at, row, corrected);
        ++s->projections;
        normalise(corrected);
        for (int i = 0; i < N; ++i) {
            const double size = fabs(corrected[i]);
            const double reach = far*(s->absolute[i] + s->relative[i]*size);
            if (!(fabs(corrected[i] - row[i]) <= scale*(s->near[i] + s->near_rel[i]*size)))
                moving = 1;
            if (!(fabs(corrected[i] - before[i]) <= reach))
                lost = 1;
            row[i] = corrected[i];
        }
        failed = lost;
        active = !lost && moving;
    }
    if (active || failed)
        memcpy(row, before, sizeof before);
    return active || failed;
#else
    (void)s, (void)t, (void)row, (void)far;
    return 0;
#endif
}

static double weight(const simulation *s, int i, double size)
{
    return 1.0/(s->absolute[i] + s->relative[i]*size);
}

/* The square of the error; where a stage's states are projected, of what remains of it along the constraints. */
static double error_of(simulation *s)
{
    double total = 0.0;
    for (int i = 0; i < N; ++i) {
        const double part = (${dopri5_error})*weight(s, i, most_of(fabs(s->x[i]), fabs(s->y[i])));
        total += part*part;
    }
    return s->size*s->size*(total*(1.0/N));
}

/* The same of an estimate that a method supplies. */
static double norm_of(const simulation *s, const real *estimate)
{
    double total = 0.0;
    for (int i = 0; i < N; ++i) {
        const double part = estimate[i]*weight(s, i, most_of(fabs(s->x[i]), fabs(s->y[i])));
        total += part*part;
    }
    return total*(1.0/N);
}

/* What remains along the constraints of an error in s->trial, which is y with this error. */
static double error_along(simulation *s)
{
    project(s, s->t1, s->trial, INFINITY);
    for (int i = 0; i < N; ++i)
        s->trial[i] -= s->y[i];
    return norm_of(s, s->trial);
}

/* A step: the new state y and the derivative there, k[6]; returns the square of its error, NaN where it failed. */
static double attempt_dopri5(simulation *s)
{
    const real h = (real)s->size;
    const int stagewise = s->stagewise;
    double error;
    int off;
${dopri5_stages}
    for (int i = 0; i < N; ++i)
        s->y[i] = s->x[i] + h*(${dopri5_new});
    normalise(s->y);
    off = project(s, s->t1, s->y, stagewise ? s->far_stagewise : s->far);
    evaluate(s, s->t1, s->y, s->k[6]);
    error = error_of(s);
    s->across = 0.0;
    if (stagewise) {
        double along;
        for (int i = 0; i < N; ++i)
            s->trial[i] = s->y[i] + h*(${dopri5_error});
        along = error_along(s) + (finite_row(s->k[6]) ? 0.0 : NAN);
        s->across = error;
        error = along*ACROSS <= error ? along*s->relax : along;
    }
    s->off = error <= 1.0 ? off : 0;
    return s->off != 0.0 ? NAN : error;
}

static double attempt_rk4(simulation *s)
{
    const real h = (real)s->size;
${rk4_stages}
    for (int i = 0; i < N; ++i)
        s->y[i] = s->x[i] + h*(${rk4_new});
    normalise(s->y);
    s->across = 0.0;
    s->off = project(s, s->t1, s->y, INFINITY);
    evaluate(s, s->t1, s->y, s->k[6]);
    return s->off == 0.0 && finite_row(s->y) && finite_row(s->k[6]) ? 0.0 : NAN;
}

${rodas5p}
static double attempt(simulation *s)
{
#if STAGES
    if (s->method == RODAS5P)
        return attempt_rodas5p(s);
#endif
    return s->method == RK4 ? attempt_rk4(s) : attempt_dopri5(s);
}

/* The interpolation between x and y: x + theta (r1 + (1 - theta) (r2 + theta (r3 + (1 - theta) r4))). */
static void prepare(simulation *s)
{
    const real h = (real)s->size;
#if STAGES
    if (s->method == RODAS5P) {
        prepare_rodas5p(s);
        return;
    }
#endif
    for (int i = 0; i < N; ++i) {
        const real change = s->y[i] - s->x[i], bend = h*s->k[0][i] - change;
        s->r[0][i] = s->x[i];
        s->r[1][i] = change;
        s->r[2][i] = bend;
        s->r[3][i] = change - h*s->k[6][i] - bend;
        s->r[4][i] = s->method == RK4 ? 0 : h*(${dopri5_dense});
    }
}

static void interpolate(const simulation *s, double theta, real *row)
{
    const real in = (real)theta, out = 1 - in;
    for (int i = 0; i < N; ++i)
        row[i] = s->r[0][i] + in*(s->r[1][i] + out*(s->r[2][i] + in*(s->r[3][i] + out*s->r[4][i])));
    normalise(row);
}

static double time_at(const simulation *s, double theta)
{
    return theta >= 1.0 ? s->t1 : s->t + theta*s->size;
}

/* The state at a fraction of the step, projected to the constraints. */
static void state_at(simulation *s, double theta)
{
    if (theta >= 1.0) {
        memcpy(s->out, s->y, sizeof s->out);
        return;
    }
    interpolate(s, theta, s->out);
    project(s, time_at(s, theta), s->out, INFINITY);
}

/* How far the derivative at an interpolated state is from the slope of the interpolation. */
static double defect(simulation *s, double t, double theta)
{
    const double in = theta, out = 1 - theta;
    double total = 0.0;
    evaluate(s, t, s->out, s->rate);
    for (int i = 0; i < N; ++i) {
        const double d = s->r[4][i], c = s->r[3][i] + out*d, b = s->r[2][i] + in*c, a = s->r[1][i] + out*b;
        const double dc = -d, db = c + in*dc, da = -b + out*db, slope = a + in*da;
        const double part = (s->size*s->rate[i] - slope)*weight(s, i, fabs(s->out[i]));
        total += part*part;
    }
    return total*(1.0/N);
}

static double norm(const simulation *s, const real *a, const real *b)
{
    double total = 0.0;
    for (int i = 0; i < N; ++i) {
        const double part = (a[i] - (b == NULL ? 0 : b[i]))*weight(s, i, fabs(s->x[i]));
        total += part*part;
    }
    return sqrt(total*(1.0/N));
}

/* The size of the first step, from one more evaluation. */
static double first_step(simulation *s, double most)
{
    const double d0 = norm(s, s->x, NULL), d1 = norm(s, s->k[0], NULL);
    const double guess = least_of(d0 <= 1e-5 || d1 <= 1e-5 ? 1e-6 : 0.01*d0/d1, most);
    double d2, bend, curved;
    for (int i = 0; i < N; ++i)
        s->trial[i] = s->x[i] + (real)guess*s->k[0][i];
    normalise(s->trial);
    evaluate(s, s->t + guess, s->trial, s->k[1]);
    d2 = norm(s, s->k[1], s->k[0])/guess;
    bend = most_of(d1, d2);
    curved = bend <= 1e-15 ? most_of(1e-6, guess*1e-3) : pow(0.01/bend, s->method == RK4 ? 0.25 : 0.2);
    return least_of(fabs(d2) < 1e300 ? least_of(100.0*guess, curved) : 1e-3*guess, most);
}

static double max_step(const simulation *s)
{
    return s->settings[MAX_STEP] > 0 ? s->settings[MAX_STEP] : INFINITY;
}

static double min_step(const simulation *s)
{
    return most_of(s->smallest, FINE*fabs(s->t));
}

/* The next size after a step with this square of an error. */
static double next_size(simulation *s, double square, int accepted)
{
#if STAGES
    if (s->method == RODAS5P)
        return next_size_rodas5p(s, square, accepted);
#endif
    const double level = 0.5*log2(square), raw = -${exponent}*level;
    double factor;
    if (accepted) {
        factor = least_of(exp2(raw + ${beta}*s->memory)*${safety}, ${largest});
        s->memory = most_of(level, log2(MEMORY));
    } else
        factor = square == square ? exp2(raw)*${safety} : ${smallest};
    return s->size*most_of(factor, ${smallest});
}

/* Saved rows */

static void save_row(simulation *s, double t, const real *x)
{
    if (s->rows != NULL) {
        fwrite(&t, sizeof t, 1, s->rows);
        fwrite(x, sizeof *x, N, s->rows);
    }
    s->last_saved = t;
    ++s->saved;
}

#if SAMPLES
/* What is held from this time on. */
static void save_held(simulation *s)
{
    if (s->held != NULL) {
        fwrite(&s->t, sizeof s->t, 1, s->held);
        for (int k = 0; k < HELD; ++k)
            fwrite(s->d + held_places[k], sizeof *s->d, 1, s->held);
    }
    ++s->held_count;
}
#else
#define save_held(s) ((void)(s))
#endif

static double saved_time(const simulation *s, long k)
{
    const double rows = s->settings[ROWS];
    return (double)k < rows ? START + (double)k*((s->settings[END] - START)/rows) : s->settings[END];
}

static int pending(const simulation *s, double t)
{
    return (double)s->saved <= s->settings[ROWS] && saved_time(s, s->saved) <= t;
}

/* Saves the rows up to a fraction of the step; 0 where one of them contradicts the equations. */
static int save(simulation *s, double stop)
{
    const double end = time_at(s, stop);
    const int judged = s->method != RK4 && s->far < INFINITY && s->size*SHORTER > min_step(s);
    while (pending(s, end)) {
        const double t = saved_time(s, s->saved), theta = t == end ? stop : (t - s->t)/s->size;
        state_at(s, theta);
        if (judged && theta < 1.0 && defect(s, t, theta) > CONTRADICTS)
            return 0;
        save_row(s, t, s->out);
    }
    return 1;
}

/* Events: zeros of the conditions. The sign of a condition that has just happened is not known, and is taken from the
 * interpolation a little later. */
#if EVENTS

static int sign_of(real x)
{
    return (x > 0) - (x < 0);
}

static void save_event(simulation *s, double t, int event, const real *before, const real *after)
{
    if (s->events != NULL) {
        const double index = event;
        fwrite(&t, sizeof t, 1, s->events);
        fwrite(&index, sizeof index, 1, s->events);
        fwrite(before, sizeof *before, N, s->events);
        fwrite(after, sizeof *after, N, s->events);
        for (int k = 0; k < HELD; ++k)
            fwrite(s->d + held_places[k], sizeof *s->d, 1, s->events);
    }
    ++s->happened;
}

static void watch_at(simulation *s, double theta, real *out)
{
    state_at(s, theta);
    conditions(s, (real)time_at(s, theta), s->out, out);
}

static void signs(simulation *s)
{
    conditions(s, (real)s->t, s->x, s->g0);
    for (int i = 0; i < EVENTS; ++i)
        s->sign[i] = s->when[i] == s->t ? 0 : sign_of(s->g0[i]);
}

/* Where between two fractions of the step a condition crosses zero, by false position (Anderson and Bjorck). */
static double locate(simulation *s, int i, double low, double high)
{
    double g_low = s->g0[i], g_high = s->g1[i], width = 2.0;
    for (int tries = 0; high - low > SAME*high && g_high != 0.0 && tries < 200; ++tries) {
        const double smallest = 0.5*SAME*high, line = (low*g_high - high*g_low)/(g_high - g_low);
        const int third = tries%3 == 2, slow = high - low > 0.5*width;
        double theta, g, share;
        if (third)
            width = high - low;
        theta = (third && slow) || line != line ? 0.5*(low + high)
                                                : most_of(least_of(line, high - smallest), low + smallest);
        watch_at(s, theta, s->probe);
        g = s->probe[i];
        if (((g > 0) - (g < 0))*((g_high > 0) - (g_high < 0)) >= 0) {
            share = 1.0 - g/g_high;
            g_low *= share > 0.0 ? share : 0.5;
            high = theta;
            g_high = g;
        } else {
            share = 1.0 - g/g_low;
            g_high *= share > 0.0 ? share : 0.5;
            low = theta;
            g_low = g;
        }
    }
    return high;
}

/* The last fraction at which a condition is a number; or, with ``crossing``, one at which it has crossed zero. */
static double leave(simulation *s, int i, double left, int crossing)
{
    const int before = sign_of(s->g0[i]), counts = crossing && before*directions[i] <= 0;
    double low = left, high = s->right;
    int found = 0;
    s->g1[i] = s->g0[i];
    while (high - low > SAME*high && !found) {
        const double middle = 0.5*(low + high);
        watch_at(s, middle, s->probe);
        if (s->probe[i] == s->probe[i]) {
            s->g1[i] = s->probe[i];
            low = middle;
            found = counts && before != 0 && before*sign_of(s->probe[i]) <= 0;
        } else
            high = middle;
    }
    return low;
}

/* What happens in this part of the step, in order; the fraction at which the first event stops. */
static double meet(simulation *s)
{
    double stop = NEVER;
    int unknown = 0;
    for (int i = 0; i < EVENTS; ++i)
        unknown |= s->sign[i] == 0;
    if (unknown) {
        watch_at(s, s->left + PROBE, s->probe);
        for (int i = 0; i < EVENTS; ++i)
            if (s->sign[i] == 0)
                s->g0[i] = s->probe[i];
    }
    for (int i = 0; i < EVENTS; ++i) {
        const double left = s->sign[i] == 0 ? s->left + PROBE : s->left;
        const real start = s->g0[i];
        const int lost = s->g1[i] != s->g1[i] && start == start, before = sign_of(start);
        double right = s->right;
        s->hit[i] = NEVER;
        if (lost)
            right = leave(s, i, left, 1);
        if (before != 0 && s->g1[i] == s->g1[i] && before*sign_of(s->g1[i]) <= 0 && before*directions[i] <= 0) {
            s->hit[i] = locate(s, i, left, right);
            if (stopping[i] && s->hit[i] < stop) {
                stop = s->hit[i];
                s->fired = i;
                s->undefined = -1;
            }
            if (lost && right < stop)
                right = leave(s, i, right, 0);
        } else if (start != start)
            right = s->left;
        if ((lost || start != start) && right < stop) {
            stop = right;
            s->fired = s->undefined = i;
        }
    }
    for (;;) { /* the times of all up to there, earliest first */
        double best = NEVER, theta;
        int which = -1;
        for (int i = 0; i < EVENTS; ++i)
            if (s->hit[i] < best && s->hit[i] <= stop + SAME) {
                best = s->hit[i];
                which = i;
            }
        if (which < 0)
            break;
        theta = least_of(s->hit[which], stop);
        s->hit[which] = NEVER;
        s->when[which] = time_at(s, theta);
        if (!stopping[which]) {
            state_at(s, theta);
            s->log_t[s->log_count] = s->when[which];
            s->log_event[s->log_count] = which;
            memcpy(s->log_x[s->log_count++], s->out, sizeof s->out);
        }
    }
    return stop;
}

static double search(simulation *s)
{
    double stop = NEVER;
    s->left = 0.0;
    s->undefined = -1;
    for (int k = 1; k <= PARTS && stop > 1.0; ++k) {
        int noticed = 0;
        s->right = (double)k/PARTS;
        watch_at(s, s->right, s->g1);
        for (int i = 0; i < EVENTS; ++i)
            noticed |= s->sign[i]*sign_of(s->g1[i]) <= 0;
        if (noticed)
            stop = meet(s);
        for (int i = 0; i < EVENTS; ++i) {
            s->g0[i] = s->g1[i];
            s->sign[i] = sign_of(s->g1[i]);
        }
        s->left = s->right;
    }
    return stop;
}

static void remember(simulation *s, int back)
{
    for (int i = 0; i < EVENTS; ++i) {
        if (back) {
            s->g0[i] = s->g0_before[i], s->sign[i] = s->sign_before[i], s->when[i] = s->when_before[i];
        } else
            s->g0_before[i] = s->g0[i], s->sign_before[i] = s->sign[i], s->when_before[i] = s->when[i];
    }
}

/* The events that happen now: resets one after another, and the end by a terminal one. */
static int apply_events(simulation *s, const int *happens)
{
    real state[N], after[N];
    memcpy(state, s->x, sizeof state);
    for (int i = 0; i < EVENTS && s->status == 0; ++i) {
        if (!happens[i])
            continue;
        s->repeats[i] = fabs(s->t - s->repeated[i]) <= 1e-10*most_of(1.0, fabs(s->t)) ? s->repeats[i] + 1 : 0;
        s->repeated[i] = s->t;
        if (s->repeats[i] >= 3) {
            s->status = -1;
            snprintf(s->message, sizeof s->message, "at t = %.6g s event '%s' happens again and again without time"
                     " passing", s->t, event_names[i]);
        }
        memcpy(after, state, sizeof after);
        if (resets[i]) {
            reset(s, i, (real)s->t, state, after);
            normalise(after);
            if (!finite_row(after) || project(s, s->t, after, INFINITY)) {
                s->status = -1;
                snprintf(s->message, sizeof s->message, "event '%s' at t = %.6g s sets a state that is not finite, or"
                         " from which the constraints cannot be reached", event_names[i], s->t);
            }
        }
        save_event(s, s->t, i, state, after);
        memcpy(state, after, sizeof state);
        if (terminal[i] && s->status == 0) {
            s->status = 1;
            snprintf(s->message, sizeof s->message, "event '%s' ended the run at t = %.6g s", event_names[i], s->t);
        }
    }
    memcpy(s->x, state, sizeof state);
    save_held(s);
    s->fresh = 1;
    return s->status;
}

#endif

/* Samples: at whole ticks of one clock they set what is held until the next one. */
#if SAMPLES

static double next_sample(const simulation *s)
{
    return (double)s->tick/ticks_per_second;
}

static void find_tick(simulation *s)
{
    s->tick = s->due[0];
    for (int k = 1; k < SAMPLES; ++k)
        if (s->due[k] < s->tick)
            s->tick = s->due[k];
}

#if EVENTS

/* The events that samples have carried to the zero of their condition or across it. */
static void apply_carried(simulation *s, const real *before)
{
    real after[EVENTS];
    int happens[EVENTS], any = 0;
    conditions(s, (real)s->t, s->x, after);
    for (int i = 0; i < EVENTS; ++i) {
        const int upwards = before[i] < 0 && after[i] >= 0, downwards = before[i] > 0 && after[i] <= 0;
        happens[i] = (upwards && directions[i] >= 0) || (downwards && directions[i] <= 0);
        if (happens[i])
            s->when[i] = s->t;
        any |= happens[i];
    }
    if (any)
        apply_events(s, happens);
}

#endif

/* The samples that are due now, if any, each from what those before it have left. The integration starts again. */
static void take_samples(simulation *s)
{
    real values[sizeof sample_places/sizeof *sample_places];
#if EVENTS
    real before[EVENTS];
#endif
    if (s->status != 0 || s->t != next_sample(s))
        return;
#if EVENTS
    conditions(s, (real)s->t, s->x, before);
#endif
    for (int k = 0; k < SAMPLES; ++k) {
        const int first = sample_starts[k];
        if (s->due[k] != s->tick)
            continue;
        sample(s, k, (real)s->t, s->x, values);
        for (int i = first; i < sample_starts[k + 1]; ++i)
            s->d[sample_places[i]] = values[i - first];
        s->due[k] += periods[k];
    }
    find_tick(s);
    find_breaks(s);
    save_held(s);
    s->fresh = 1;
#if EVENTS
    apply_carried(s, before);
#endif
}

#else
#define next_sample(s) INFINITY
#define take_samples(s) ((void)(s))
#endif

/* Steps */

/* The derivative at a new state, and the size of the first step; 0 if it is not finite. */
static int restart(simulation *s)
{
    const double step = s->method == RK4 ? s->settings[STEP] : 0.0;
    double h = step;
    evaluate(s, s->t, s->x, s->k[0]);
    if (!finite_row(s->x) || !finite_row(s->k[0]))
        return 0;
    s->memory = log2(MEMORY);
#if STAGES
    s->accepted = 0.0;
#endif
    s->begun = s->base = s->t;
    s->ticks = s->again = 0;
    if (h <= 0.0)
        h = s->h > 0.0 ? s->h : s->settings[FIRST_STEP];
    if (h <= 0.0)
        h = first_step(s, least_of(max_step(s), s->goal - s->t));
    s->h = most_of(least_of(h, max_step(s)), min_step(s));
#if EVENTS
    signs(s);
#endif
    s->fresh = 0;
    return 1;
}

/* The end of a step, or the event at the fraction ``stop`` of it, as the new state. */
static int accept(simulation *s, double error, double stop)
{
    double passed;
    ++s->steps;
    s->next = s->settings[STEP];
    if (s->method != RK4) {
        double wanted = next_size(s, error, 1);
        if (s->again)
            wanted = least_of(wanted, s->size);
        if (s->last)
            wanted = most_of(wanted, s->h);
        s->next = most_of(least_of(wanted, max_step(s)), min_step(s));
        s->again = 0;
        if (s->across <= 1.0)
            s->stagewise = 0;
    }
    if (stop <= 1.0) {
        state_at(s, stop);
        memcpy(s->x, s->out, sizeof s->x);
        s->t = time_at(s, stop);
        s->fresh = 1;
        s->h = least_of(s->next, 2.0*fabs(s->t - s->begun));
        return s->undefined >= 0 ? UNDEFINED : EVENT;
    }
    memcpy(s->x, s->y, sizeof s->x);
    memcpy(s->k[0], s->k[6], sizeof s->x);
    if (s->last)
        s->base = s->t1;
    s->ticks = s->last ? 0 : s->ticks + 1;
    s->t = s->t1;
    s->h = s->next;
    if (--s->pace_left > 0.0)
        return DONE;
    passed = fabs(s->t - s->pace_t)/s->pace_steps; /* a window of steps is over: is the end in reach? */
    if (passed <= 2.0*s->pace && s->pace_steps*fabs(s->goal - s->t) > HOPELESS*passed)
        return STALLED;
    s->pace_t = s->t;
    s->pace_left = s->pace_steps = 2.0*s->pace_steps;
    s->pace = passed;
    return DONE;
}

/* One attempt to step, accepted or not. */
static int take_step(simulation *s)
{
    const double ahead = s->goal - s->t;
    double error, stop = NEVER;
    int agrees = 1;
    s->last = s->h*STRETCH >= ahead;
    s->size = s->last ? ahead : s->h;
    s->t1 = s->last ? s->goal : s->method == RK4 ? s->base + (double)(s->ticks + 1)*s->settings[STEP] : s->t + s->size;
    if (s->t1 == s->t)
        return UNDERFLOW_OF_STEP;
    error = attempt(s);
    if (!(error <= 1.0)) {
        const int possible = PROJECTS && s->method != RK4 && s->far < INFINITY;
        const int repeated = possible && !s->stagewise && (!(error <= SURPRISE) || s->again);
        const double smaller = next_size(s, error, 0);
        ++s->rejected;
        s->again = 1;
        if (!repeated && (smaller < min_step(s) || s->method == RK4))
            return s->off != 0.0 ? OFF_CONSTRAINTS : isfinite(error) ? UNDERFLOW_OF_STEP : NOT_FINITE;
        if (repeated)
            s->stagewise = 1;
        else
            s->h = smaller;
        return DONE;
    }
    if (EVENTS || pending(s, s->t1)) {
        prepare(s);
#if EVENTS
        s->log_count = 0;
        remember(s, 0);
        stop = search(s);
#endif
        agrees = save(s, least_of(stop, 1.0));
    }
    if (!agrees) {
#if EVENTS
        remember(s, 1);
#endif
        ++s->rejected;
        s->again = 1;
        s->h = most_of(s->size*SHORTER, min_step(s));
        return DONE;
    }
#if EVENTS
    for (int k = 0; k < s->log_count; ++k)
        save_event(s, s->log_t[k], s->log_event[k], s->log_x[k], s->log_x[k]);
#endif
    return accept(s, error, stop);
}

static const char *const failures[] = {
    "", "", "the step became smaller than the resolution of time: the motion is too fast there, or its forces jump",
    "the derivative or the state is not finite", "the steps are so short that the end is out of reach",
    "the state cannot return to its constraints", "the condition of an event is not a number", "more steps than run.max_steps",
};

/* The span between break points, where laws of time jump or bend, in which the present lies: derivatives are those inside
 * it. Returns its end. Only so many of the break points count. */
static double find_sides(simulation *s, int breaks)
{
    double low = -INFINITY, high = INFINITY, ahead;
    for (int k = 0; k < breaks; ++k) {
        const double point = s->break_points[k];
        if (point <= s->t)
            low = most_of(low, point);
        else if (point < high)
            high = point;
    }
    ahead = high;
    if (low > -INFINITY || high < INFINITY) {
        const double room = (high - low)/4;
        if (low > -INFINITY)
            low += least_of(most_of(1e-14*fabs(low), 1e-15), room);
        if (high < INFINITY)
            high -= least_of(most_of(1e-14*fabs(high), 1e-15), room);
    }
    if (low != s->low || high != s->high)
        s->fresh = 1;
    s->low = low;
    s->high = high;
    return ahead;
}

/* Integrates to a time, through all events on the way; returns s->status. */
int ${name}_advance(simulation *s, double end)
{
    const double infinity = INFINITY;
    s->smallest = most_of(NEGLIGIBLE*most_of(fabs(end), fabs(s->t)), DBL_MIN);
    take_samples(s);
    while (s->status == 0) {
        const double ahead = find_sides(s, s->method == RK4 ? 0 : BREAKS);
        int status = DONE;
        s->goal = least_of(least_of(end, ahead), next_sample(s));
        if (s->fresh && project(s, s->t, s->x, infinity))
            status = OFF_CONSTRAINTS;
        while (status == DONE && pending(s, s->t))
            save_row(s, s->t, s->x);
        while (status == DONE && s->goal > s->t) {
            if (s->fresh && !restart(s))
                status = NOT_FINITE;
            else if (s->budget-- <= 0)
                status = TOO_MANY;
            else
                status = take_step(s);
        }
#if EVENTS
        if (status == EVENT) {
            int happens[EVENTS];
            for (int i = 0; i < EVENTS; ++i)
                happens[i] = stopping[i] && s->when[i] == s->t;
            apply_events(s, happens);
            continue;
        }
#endif
        if (status != DONE) {
            s->status = -1;
            snprintf(s->message, sizeof s->message, "at t = %.6g s: %s", s->t, failures[status]);
        }
        if (!s->leaves_samples || s->t < end)
            take_samples(s);
        if (s->t >= end)
            break;
    }
    return s->status;
}

void ${name}_begin(simulation *s)
{
    double tight = INFINITY;
    compute_constants(s);
    find_breaks(s);
    memcpy(s->x, s->start, sizeof s->x);
    normalise(s->x);
    s->t = START;
    s->status = 0;
    s->saved = s->happened = s->steps = s->rejected = s->evaluations = s->projections = s->ticks = 0;
    s->h = s->size = s->t1 = s->across = s->off = s->memory = s->left = s->right = 0.0;
    s->fresh = 1;
    s->last = s->again = s->stagewise = s->log_count = s->fired = 0;
    s->undefined = -1;
    s->low = s->high = NAN;
    s->budget = s->settings[MAX_STEPS] > 0 && s->settings[MAX_STEPS] < 2e9 ? (long)s->settings[MAX_STEPS] : LONG_MAX;
    s->pace_t = s->t;
    s->pace_steps = s->pace_left = PATIENCE;
    s->pace = 0.0;
    for (int i = 0; i < N; ++i) {
        const double a = s->settings[ATOL]*atol_each[i], b = s->settings[RTOL]*rtol_each[i];
        s->absolute[i] = a;
        s->relative[i] = b;
        s->near[i] = (real)(speeds[i] ? INFINITY : NEAR*a + 1e-14);
        s->near_rel[i] = (real)(speeds[i] ? 0.0 : NEAR*b + 1e-14);
        tight = least_of(tight, a + b);
    }
    s->far = s->method == RK4 ? INFINITY : FAR;
    s->far_stagewise = s->method == RK4 ? INFINITY : most_of(FAR, 1e-6/tight);
    s->relax = least_of(1.0, tight/1e-10)*least_of(1.0, tight/1e-10);
    for (int i = 0; i < EVENTS; ++i) {
        s->when[i] = s->repeated[i] = NAN;
        s->repeats[i] = s->sign[i] = 0;
    }
    s->held_count = 0;
#if SAMPLES
    memcpy(s->due, first_ticks, sizeof s->due);
    find_tick(s);
    save_held(s);
#endif
    snprintf(s->message, sizeof s->message, "reached the end");
}

int ${name}_simulate(simulation *s)
{
    clock_t began;
    if (s->rows == NULL)
        s->rows = tmpfile();
    if (s->events == NULL)
        s->events = tmpfile();
    if (s->held == NULL)
        s->held = tmpfile();
    if (s->rows == NULL || s->events == NULL || s->held == NULL) {
        snprintf(s->message, sizeof s->message, "no temporary file can be opened for the rows");
        return s->status = -1;
    }
    rewind(s->rows);
    rewind(s->events);
    rewind(s->held);
    began = clock();
    ${name}_begin(s);
    ${name}_advance(s, s->settings[END]);
    s->seconds = (double)(clock() - began)/CLOCKS_PER_SEC;
    if (s->saved > 0 && s->last_saved == s->t) { /* the last row is the state in which the motion ended */
        fseek(s->rows, -(long)(sizeof(double) + N*sizeof(real)), SEEK_CUR);
        --s->saved;
        save_row(s, s->t, s->x);
    } else if ((double)s->saved <= s->settings[ROWS])
        save_row(s, s->t, s->x);
    return s->status;
}
