/* An instance of the FMU around a simulation; what both versions of FMI share. Value references are ranges of indices. */

#include <stdarg.h>

enum { INPUTS = ${NAME}_INPUTS, PARAMETERS = ${NAME}_PARAMETERS, SETTINGS = ${NAME}_SETTINGS, RECORD = ${NAME}_RECORD };
enum {
    AT_X = 1, /* 0 is the time */
    AT_RATES = AT_X + N,
    AT_D = AT_RATES + N,
    AT_P = AT_D + INPUTS,
    AT_SETTINGS = AT_P + PARAMETERS,
    AT_CONDITIONS = AT_SETTINGS + SETTINGS,
    AT_RECORD = AT_CONDITIONS + EVENTS_COUNT,
    AT_CLOCKS = AT_RECORD + RECORD,
    AT_END = AT_CLOCKS + SAMPLES
};

enum { MODE_INSTANTIATED, MODE_INITIALIZATION, MODE_EVENT, MODE_CONTINUOUS, MODE_STEP, MODE_TERMINATED };
enum { STATUS_OK, STATUS_WARNING, STATUS_DISCARD, STATUS_ERROR, LEVELS }; /* as in both versions of FMI */

#define MESSAGE 700    /* the most characters of a message in the log */
#define DRIFT 10.0     /* the distance from the constraints, in tolerances, beyond which states are moved at the next event */
#define SAME_TIME 1e-9 /* the largest relative difference of two times of an importer that are meant to be equal */
#define INCREMENT 7e-4 /* of differences of order 4, relative to the size of a variable: the fifth root of the precision */

static const char *const categories[LEVELS] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"};

/* All that changes; it contains no addresses, so that the state of the FMU is a copy of it. */
typedef struct {
    simulation s;
    real rate[N], record[RECORD + 1];
    double start;
    int mode, constants_are_old, breaks_are_old, rate_is_old, record_is_old, drifted;
    int side[EVENTS_COUNT + 1], zero[EVENTS_COUNT + 1], ticked[SAMPLES + 1];
} Present;

typedef struct Instance {
    Present now;
    int exchange;               /* model exchange, not co-simulation */
    int event_mode, may_return; /* in co-simulation: samples are taken in event mode; steps may end at them */
    int logs[LEVELS];
    char name[200];
    void *environment;
    void (*log)(struct Instance *m, int status, const char *category, const char *message);
    void (*callback)(void); /* of the version of FMI */
} Instance;

/* Logs a message; returns the status. Errors are always logged. */
static int say(Instance *m, int status, const char *format, ...)
{
    char message[MESSAGE];
    va_list rest;
    if (status != STATUS_ERROR && !m->logs[status])
        return status;
    va_start(rest, format);
    vsnprintf(message, sizeof message, format, rest);
    va_end(rest);
    m->log(m, status, categories[status], message);
    return status;
}

static int set_logging(Instance *m, int on, size_t count, const char *const names[])
{
    for (int k = 0; count == 0 && k < LEVELS; ++k)
        m->logs[k] = on;
    for (size_t i = 0; i < count; ++i) {
        const int all = strcmp(names[i], "logAll") == 0;
        int known = 0;
        for (int k = 0; k < LEVELS; ++k)
            if (all || strcmp(names[i], categories[k]) == 0) {
                m->logs[k] = on;
                known = 1;
            }
        if (!known)
            return say(m, STATUS_ERROR, "there is no log category '%.60s'", names[i]);
    }
    return STATUS_OK;
}

static int near_times(double a, double b)
{
    return fabs(a - b) <= SAME_TIME*most_of(fabs(a), fabs(b)) + 1e-12;
}

static void state_changed(Present *n)
{
    n->rate_is_old = n->record_is_old = 1;
}

static void set_defaults(Instance *m)
{
    Present *const n = &m->now;
    memset(n, 0, sizeof *n);
    ${name}_defaults(&n->s);
    n->s.settings[ROWS] = -1.0; /* no rows are saved */
    ${name}_begin(&n->s);
    n->start = n->s.t;
    find_sides(&n->s, BREAKS);
    state_changed(n);
}

static Instance *new_instance(const char *name, int exchange, int logging, void *environment)
{
    Instance *const m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    snprintf(m->name, sizeof m->name, "%s", name == NULL ? "" : name);
    m->exchange = exchange;
    m->environment = environment;
    for (int k = 0; k < LEVELS; ++k)
        m->logs[k] = logging;
    set_defaults(m);
    return m;
}

/* What follows from parameters and inputs alone. */
static void refresh(Present *n)
{
    if (n->constants_are_old)
        compute_constants(&n->s);
    if (n->constants_are_old || n->breaks_are_old) {
        find_breaks(&n->s);
        if (n->mode <= MODE_INITIALIZATION || n->mode == MODE_EVENT)
            find_sides(&n->s, BREAKS);
    }
    n->constants_are_old = n->breaks_are_old = 0;
}

static const real *present_rate(Present *n)
{
    refresh(n);
    if (n->rate_is_old)
        evaluate(&n->s, n->s.t, n->s.x, n->rate);
    n->rate_is_old = 0;
    return n->rate;
}

static const real *present_record(Present *n)
{
    refresh(n);
    if (n->record_is_old)
        ${name}_values(&n->s, inside(&n->s, n->s.t), n->s.x, n->record);
    n->record_is_old = 0;
    return n->record;
}

static void present_conditions(Present *n, real *out)
{
    refresh(n);
#if EVENTS
    conditions(&n->s, (real)inside(&n->s, n->s.t), n->s.x, out);
#else
    (void)out;
#endif
}

static int get(Instance *m, size_t count, const unsigned *references, double *values)
{
    Present *const n = &m->now;
    for (size_t k = 0; k < count; ++k) {
        const unsigned r = references[k];
        if (r == 0)
            values[k] = n->s.t;
        else if (r < AT_RATES)
            values[k] = n->s.x[r - AT_X];
        else if (r < AT_D)
            values[k] = present_rate(n)[r - AT_RATES];
        else if (r < AT_P)
            values[k] = n->s.d[r - AT_D];
        else if (r < AT_SETTINGS)
            values[k] = n->s.p[r - AT_P];
        else if (r < AT_CONDITIONS)
            values[k] = n->s.settings[r - AT_SETTINGS];
        else if (r < AT_RECORD) {
            real all[EVENTS_COUNT + 1];
            present_conditions(n, all);
            values[k] = all[r - AT_CONDITIONS];
        } else if (r < AT_CLOCKS)
            values[k] = present_record(n)[r - AT_RECORD];
        else
            return say(m, STATUS_ERROR, "there is no number with the value reference %u", r);
    }
    return STATUS_OK;
}

/* Sets a number, whatever the mode. */
static void put_number_at(Present *n, unsigned r, double value)
{
    if (r < AT_RATES)
        n->s.x[r - AT_X] = (real)value;
    else if (r < AT_P) {
        n->s.d[r - AT_D] = (real)value;
        n->breaks_are_old = n->s.fresh = 1;
    } else if (r < AT_SETTINGS) {
        n->s.p[r - AT_P] = (real)value;
        n->constants_are_old = n->s.fresh = 1;
    } else
        n->s.settings[r - AT_SETTINGS] = value;
    state_changed(n);
}

static int set(Instance *m, size_t count, const unsigned *references, const double *values)
{
    Present *const n = &m->now;
    const int before = n->mode <= MODE_INITIALIZATION;
    for (size_t k = 0; k < count; ++k) {
        const unsigned r = references[k];
        const int input = r >= AT_D && r < AT_P && is_input[r - AT_D], parameter = r >= AT_P && r < AT_SETTINGS;
        const int other = (r >= AT_X && r < AT_RATES) || (r >= AT_D && r < AT_CONDITIONS);
        const int state = m->exchange && r < AT_RATES; /* as by fmi2SetContinuousStates */
        if (!other)
            return say(m, STATUS_ERROR, "the variable with the value reference %u cannot be set", r);
        if (!before && !input && !state && !(parameter && (n->mode == MODE_EVENT || n->mode == MODE_STEP)))
            return say(m, STATUS_ERROR, parameter ? "the parameter with the value reference %u can be set before the"
                       " simulation, in event mode and between steps only" : "the variable with the value reference %u"
                       " can be set before the simulation only", r);
        if (!isfinite(values[k]))
            return say(m, STATUS_ERROR, "the value for the value reference %u is not finite", r);
        put_number_at(n, r, values[k]);
    }
    return STATUS_OK;
}

static void set_tolerance(Instance *m, double tolerance)
{
    double *const v = m->now.s.settings;
    if (!(tolerance > 0))
        return;
    v[ATOL] = v[RTOL] > 0 ? v[ATOL]*tolerance/v[RTOL] : tolerance;
    v[RTOL] = tolerance;
}

static void set_start(Instance *m, double start)
{
    m->now.start = m->now.s.t = start;
    refresh(&m->now);
    find_sides(&m->now.s, BREAKS);
    state_changed(&m->now);
}

/* On which side of zero the conditions are, so that it is known later in which direction they have crossed it. One that
 * is zero stays on the side on which it was. */
static void find_sides_of_conditions(Present *n)
{
    real all[EVENTS_COUNT + 1];
    present_conditions(n, all);
    for (int i = 0; i < EVENTS_COUNT; ++i) {
        if (all[i] > 0 || all[i] < 0)
            n->side[i] = all[i] > 0 ? 1 : -1;
        n->zero[i] = all[i] == 0;
    }
}

/* Begins at the start with the values that were set. */
static int begin(Instance *m)
{
    Present *const n = &m->now;
    simulation *const s = &n->s;
    double moved = 0.0;
    memcpy(s->start, s->x, sizeof s->x);
    ${name}_begin(s);
    s->t = s->pace_t = n->start;
    n->constants_are_old = n->breaks_are_old = 0;
#if SAMPLES
    for (int k = 0; k < SAMPLES; ++k) {
        const double passed = (n->start*ticks_per_second - (double)s->due[k])/(double)periods[k];
        if (passed > 1e-9)
            s->due[k] += periods[k]*(int64_t)ceil(passed - 1e-9);
    }
    find_tick(s);
#endif
    for (int i = 0; i < EVENTS_COUNT; ++i)
        n->side[i] = -1;
    find_sides(s, BREAKS);
    if (project(s, s->t, s->x, INFINITY))
        return say(m, STATUS_ERROR, "the start cannot be moved to the constraints; set states that satisfy them");
    for (int i = 0; i < N; ++i)
        moved = most_of(moved, fabs(s->x[i] - s->start[i]));
    if (moved > 1e-6)
        say(m, STATUS_WARNING, "the start was moved by up to %.3g to satisfy the constraints and unit quaternions", moved);
    state_changed(n);
    if (!finite_row(s->x) || !finite_row(present_rate(n)))
        return say(m, STATUS_ERROR, "the state or its derivative is not finite at the start, t = %.6g s", s->t);
    find_sides_of_conditions(n);
    n->mode = m->exchange || m->event_mode ? MODE_EVENT : MODE_STEP;
    if (n->mode == MODE_STEP)
        take_samples(s);
    state_changed(n);
    return STATUS_OK;
}

#if SAMPLES
/* The samples that are due, each at its tick, and later than it if the importer has stepped across it. */
static void take_due_samples(Instance *m)
{
    Present *const n = &m->now;
    simulation *const s = &n->s;
    const double t = s->t;
    while (s->status == 0 && (next_sample(s) < t || near_times(next_sample(s), t))) {
        int64_t due[SAMPLES];
        memcpy(due, s->due, sizeof due);
        s->t = next_sample(s);
        if (!near_times(s->t, t))
            say(m, STATUS_WARNING, "the sample at t = %.9g s is taken at t = %.9g s only", s->t, t);
        take_samples(s);
        for (int k = 0; k < SAMPLES; ++k)
            n->ticked[k] |= due[k] != s->due[k];
        say(m, STATUS_OK, "samples at t = %.9g s", s->t);
    }
    s->t = t;
}
#endif

#if EVENTS
/* The events whose conditions have crossed zero since the last event. */
static void apply_crossed(Instance *m)
{
    Present *const n = &m->now;
    simulation *const s = &n->s;
    real all[EVENTS];
    int happens[EVENTS], any = 0;
    present_conditions(n, all);
    for (int i = 0; i < EVENTS; ++i) {
        /* importers may stop where a condition is exactly zero, coming from the other side */
        const int side = all[i] > 0 ? 1 : all[i] < 0 ? -1 : all[i] == 0 && !n->zero[i] ? -n->side[i] : n->side[i];
        happens[i] = stopping[i] && side != n->side[i] && side*directions[i] >= 0;
        n->side[i] = side;
        if (happens[i]) {
            say(m, STATUS_OK, "event '%s' at t = %.9g s", event_names[i], s->t);
            s->when[i] = s->t;
        }
        any |= happens[i];
    }
    if (any)
        apply_events(s, happens);
}
#endif

typedef struct {
    int terminate, changed, timed;
    double next;
} Instant;

/* What happens now in event mode: samples and, in model exchange, events and the return of drifted states to the
 * constraints, which co-simulation meets inside its steps. */
static int happen(Instance *m, Instant *instant)
{
    Present *const n = &m->now;
    simulation *const s = &n->s;
    real before[N];
    double ahead;
    memcpy(before, s->x, sizeof before);
    memset(n->ticked, 0, sizeof n->ticked);
    refresh(n);
    for (int k = 0; k < BREAKS; ++k) /* an importer that stops at a break point is beyond it */
        if (s->break_points[k] > s->t && near_times(s->break_points[k], s->t))
            s->t = s->break_points[k];
    ahead = find_sides(s, BREAKS);
    state_changed(n);
#if EVENTS
    if (m->exchange)
        apply_crossed(m); /* before samples, which may carry conditions across zero too */
#endif
#if SAMPLES
    take_due_samples(m);
    ahead = find_sides(s, BREAKS);
#endif
    if (n->drifted) {
        normalise(s->x);
        if (project(s, s->t, s->x, INFINITY))
            return say(m, STATUS_ERROR, "t = %.9g s: the state cannot return to its constraints", s->t);
        n->drifted = 0;
    }
    if (s->status < 0)
        return say(m, STATUS_ERROR, "%s", s->message);
    state_changed(n);
    find_sides_of_conditions(n);
    instant->terminate = s->status > 0;
    instant->changed = memcmp(before, s->x, sizeof before) != 0;
    instant->next = m->exchange ? least_of(ahead, next_sample(s)) : next_sample(s);
    instant->timed = instant->next < INFINITY;
    return STATUS_OK;
}

/* Whether the states are too far from the constraints, or from unit quaternions, after a step of the importer. */
static int has_drifted(Instance *m)
{
#if PROJECTS || QUATERNIONS
    Present *const n = &m->now;
    simulation *const s = &n->s;
    double farthest = 0.0;
    refresh(n);
    memcpy(s->trial, s->x, sizeof s->trial);
    normalise(s->trial);
    if (project(s, s->t, s->trial, INFINITY))
        say(m, STATUS_WARNING, "t = %.9g s: the state cannot return to its constraints", s->t);
    for (int i = 0; i < N; ++i)
        farthest = most_of(farthest, fabs(s->trial[i] - s->x[i])*weight(s, i, fabs(s->x[i])));
    n->drifted = farthest > DRIFT;
    return n->drifted;
#else
    (void)m;
    return 0;
#endif
}

/* The time, or that of a sample which is meant: 0.07 + 0.01 is not quite 0.08. */
static double meant_time(const simulation *s, double t)
{
#if SAMPLES
    for (int k = 0; k < SAMPLES; ++k) {
        const double count = floor((t*ticks_per_second - (double)s->due[k])/(double)periods[k] + 0.5);
        const double sampled = ((double)s->due[k] + count*(double)periods[k])/ticks_per_second;
        if (count >= 0.0 && near_times(sampled, t))
            return sampled;
    }
#else
    (void)s;
#endif
    return t;
}

/* A communication step. With event mode it ends at a sample, if it may, and leaves that at its end to the importer. */
static int step(Instance *m, double t, double size, double *last, int *terminate, int *events)
{
    Present *const n = &m->now;
    simulation *const s = &n->s;
    double end;
    *last = s->t;
    *terminate = s->status > 0;
    *events = 0;
    if (n->mode != MODE_STEP)
        return say(m, STATUS_ERROR, "a step needs an initialised co-simulation");
    if (s->status > 0)
        return say(m, STATUS_DISCARD, "%s", s->message);
    if (!near_times(t, s->t))
        return say(m, STATUS_ERROR, "the step begins at t = %.9g s, but the simulation is at t = %.9g s", t, s->t);
    if (!(size >= 0 && isfinite(size)))
        return say(m, STATUS_ERROR, "the size of the step is %g s; it must not be negative", size);
    refresh(n);
    end = most_of(meant_time(s, t + size), s->t);
    if (m->may_return && next_sample(s) > s->t)
        end = least_of(end, next_sample(s));
    s->leaves_samples = m->event_mode;
    ${name}_advance(s, end);
    state_changed(n);
    *last = s->status == 0 && (end >= t + size || near_times(end, t + size)) ? t + size : s->t;
    *terminate = s->status > 0;
    *events = m->event_mode && s->status == 0 && s->t == next_sample(s);
    if (s->status < 0)
        return say(m, STATUS_ERROR, "%s", s->message);
    if (s->status > 0)
        return say(m, STATUS_DISCARD, "%s", s->message);
    return STATUS_OK;
}

static int is_known(unsigned r)
{
    return (r >= AT_X && r < AT_RATES) || (r >= AT_D && r < AT_SETTINGS);
}

/* Derivatives of unknowns along a direction of knowns, by central differences of order 4. */
static int directional(Instance *m, size_t unknowns, const unsigned *unknown, size_t knowns, const unsigned *known,
                       const double *seed, double *result)
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0}, factor[4] = {1.0/12, -8.0/12, 8.0/12, -1.0/12};
    Present *const n = &m->now;
    const int fresh = n->s.fresh;
    double size = INFINITY, *const work = malloc((knowns + unknowns + 1)*sizeof *work);
    double *const base = work, *const value = work + knowns;
    int status = STATUS_OK;
    if (work == NULL)
        return say(m, STATUS_ERROR, "no memory for derivatives");
    for (size_t j = 0; j < knowns && status == STATUS_OK; ++j) {
        if (!is_known(known[j]))
            status = say(m, STATUS_ERROR, "no derivatives by the variable with the value reference %u", known[j]);
        else {
            const int parameter = known[j] >= AT_P;
            get(m, 1, known + j, base + j);
            if (seed[j] != 0.0)
                size = least_of(size, INCREMENT*(parameter && base[j] != 0.0 ? fabs(base[j]) : most_of(1.0, fabs(base[j])))
                                /fabs(seed[j]));
        }
    }
    for (size_t i = 0; i < unknowns; ++i)
        result[i] = 0.0;
    for (int k = 0; k < 4 && status == STATUS_OK && size < INFINITY; ++k) {
        for (size_t j = 0; j < knowns; ++j)
            put_number_at(n, known[j], base[j] + at[k]*size*seed[j]);
        status = get(m, unknowns, unknown, value);
        for (size_t i = 0; i < unknowns; ++i)
            result[i] += factor[k]*value[i]/size;
    }
    for (size_t j = 0; status == STATUS_OK && size < INFINITY && j < knowns; ++j)
        put_number_at(n, known[j], base[j]);
    n->s.fresh = fresh;
    free(work);
    return status;
}

/* The state of the FMU */

static int copy_state(Instance *m, void **state)
{
    if (*state == NULL)
        *state = malloc(sizeof(Present));
    if (*state == NULL)
        return say(m, STATUS_ERROR, "no memory for a state");
    memcpy(*state, &m->now, sizeof m->now);
    return STATUS_OK;
}

static int restore_state(Instance *m, const void *state)
{
    if (state == NULL)
        return say(m, STATUS_ERROR, "there is no state to restore");
    memcpy(&m->now, state, sizeof m->now);
    return STATUS_OK;
}

/* What serialised states begin with. */
#define MARK "${digest}"

static size_t serialized_size(void)
{
    return sizeof MARK + sizeof(Present);
}

static int serialize(Instance *m, const void *state, char *bytes, size_t size)
{
    if (state == NULL || size < serialized_size())
        return say(m, STATUS_ERROR, "a state needs %lu bytes", (unsigned long)serialized_size());
    memcpy(bytes, MARK, sizeof MARK);
    memcpy(bytes + sizeof MARK, state, sizeof(Present));
    return STATUS_OK;
}

static int deserialize(Instance *m, const char *bytes, size_t size, void **state)
{
    if (size != serialized_size() || memcmp(bytes, MARK, sizeof MARK) != 0)
        return say(m, STATUS_ERROR, "these bytes are not a state of this FMU");
    if (*state == NULL)
        *state = malloc(sizeof(Present));
    if (*state == NULL)
        return say(m, STATUS_ERROR, "no memory for a state");
    memcpy(*state, bytes + sizeof MARK, sizeof(Present));
    return STATUS_OK;
}
