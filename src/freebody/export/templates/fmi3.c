/* The functions of FMI 3.0. */

#include "fmi3Functions.h"

#define INSTANCE ((Instance *)c)
#define NOW (INSTANCE->now)

static void log_3(Instance *m, int status, const char *category, const char *message)
{
    const fmi3LogMessageCallback logger = (fmi3LogMessageCallback)m->callback;
    if (logger != NULL)
        logger(m->environment, (fmi3Status)status, category, message);
}

const char *fmi3GetVersion(void)
{
    return fmi3Version;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String names[])
{
    return (fmi3Status)set_logging(INSTANCE, on, count, names);
}

static fmi3Instance instantiate(fmi3String name, fmi3String token, int exchange, int logging,
                                fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger)
{
    Instance *const m = new_instance(name, exchange, logging, environment);
    if (m == NULL)
        return NULL;
    m->log = log_3;
    m->callback = (void (*)(void))logger;
    if (token == NULL || strcmp(token, GUID) != 0) {
        say(m, STATUS_ERROR, "the token is not that of this FMU: the description belongs to another binary");
        free(m);
        return NULL;
    }
    return m;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logger)
{
    (void)resources, (void)visible;
    return instantiate(name, token, 1, logging, environment, logger);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t count,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                         fmi3IntermediateUpdateCallback update)
{
    Instance *const m = instantiate(name, token, 0, logging, environment, logger);
    (void)resources, (void)visible, (void)required, (void)count, (void)update;
    if (m != NULL) {
        m->event_mode = event_mode;
        m->may_return = event_mode && early_return;
    }
    return m;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                               fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock, (void)unlock;
    if (logger != NULL)
        logger(environment, fmi3Error, categories[STATUS_ERROR], "this FMU has no scheduled execution");
    return NULL;
}

void fmi3FreeInstance(fmi3Instance c)
{
    free(c);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean tolerance_is_given, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stop_is_given, fmi3Float64 stop)
{
    (void)stop_is_given, (void)stop;
    if (tolerance_is_given)
        set_tolerance(INSTANCE, tolerance);
    set_start(INSTANCE, start);
    NOW.mode = MODE_INITIALIZATION;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c)
{
    return (fmi3Status)begin(INSTANCE);
}

fmi3Status fmi3Terminate(fmi3Instance c)
{
    NOW.mode = MODE_TERMINATED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance c)
{
    set_defaults(INSTANCE);
    return fmi3OK;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance c)
{
    return (fmi3Status)say(INSTANCE, STATUS_ERROR, "there are no structural parameters to configure");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance c)
{
    return (fmi3Status)say(INSTANCE, STATUS_ERROR, "there are no structural parameters to configure");
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 values[],
                          size_t size)
{
    if (size != count)
        return (fmi3Status)say(INSTANCE, STATUS_ERROR, "all variables are scalar: as many values are needed as references");
    return (fmi3Status)get(INSTANCE, count, references, values);
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Float64 values[],
                          size_t size)
{
    if (size != count)
        return (fmi3Status)say(INSTANCE, STATUS_ERROR, "all variables are scalar: as many values are needed as references");
    return (fmi3Status)set(INSTANCE, count, references, values);
}

static fmi3Status no_such(fmi3Instance c, size_t count)
{
    return count == 0 ? fmi3OK : (fmi3Status)say(INSTANCE, STATUS_ERROR, "all variables of this FMU are of type Float64");
}

#define NONE_OF_TYPE(Type)                                                                                              \
    fmi3Status fmi3Get##Type(fmi3Instance c, const fmi3ValueReference r[], size_t count, fmi3##Type values[], size_t n) \
    {                                                                                                                   \
        (void)r, (void)values, (void)n;                                                                                 \
        return no_such(c, count);                                                                                       \
    }                                                                                                                   \
    fmi3Status fmi3Set##Type(fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3##Type values[],     \
                             size_t n)                                                                                  \
    {                                                                                                                   \
        (void)r, (void)values, (void)n;                                                                                 \
        return no_such(c, count);                                                                                       \
    }

NONE_OF_TYPE(Float32)
NONE_OF_TYPE(Int8)
NONE_OF_TYPE(UInt8)
NONE_OF_TYPE(Int16)
NONE_OF_TYPE(UInt16)
NONE_OF_TYPE(Int32)
NONE_OF_TYPE(UInt32)
NONE_OF_TYPE(Int64)
NONE_OF_TYPE(UInt64)
NONE_OF_TYPE(Boolean)
NONE_OF_TYPE(String)

fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference r[], size_t count, size_t sizes[], fmi3Binary values[],
                         size_t n)
{
    (void)r, (void)sizes, (void)values, (void)n;
    return no_such(c, count);
}

fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference r[], size_t count, const size_t sizes[],
                         const fmi3Binary values[], size_t n)
{
    (void)r, (void)sizes, (void)values, (void)n;
    return no_such(c, count);
}

/* Clocks tick in event mode, after the update in which the samples were taken. */
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Clock values[])
{
    for (size_t k = 0; k < count; ++k) {
        if (references[k] < AT_CLOCKS || references[k] >= AT_END)
            return (fmi3Status)say(INSTANCE, STATUS_ERROR, "there is no clock with the value reference %u", references[k]);
        values[k] = NOW.mode == MODE_EVENT && NOW.ticked[references[k] - AT_CLOCKS];
    }
    return fmi3OK;
}

fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Clock values[])
{
    (void)references, (void)values;
    return count == 0 ? fmi3OK : (fmi3Status)say(INSTANCE, STATUS_ERROR, "clocks are outputs: they cannot be set");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference reference, size_t *count)
{
    (void)reference, (void)count;
    return (fmi3Status)say(INSTANCE, STATUS_ERROR, "dependencies are those of the description");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference dependent, size_t elements[],
                                       fmi3ValueReference independents[], size_t other_elements[],
                                       fmi3DependencyKind kinds[], size_t count)
{
    (void)dependent, (void)elements, (void)independents, (void)other_elements, (void)kinds, (void)count;
    return (fmi3Status)say(INSTANCE, STATUS_ERROR, "dependencies are those of the description");
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state)
{
    return (fmi3Status)copy_state(INSTANCE, state);
}

fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state)
{
    return (fmi3Status)restore_state(INSTANCE, state);
}

fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state)
{
    (void)c;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size)
{
    (void)c, (void)state;
    *size = serialized_size();
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    return (fmi3Status)serialize(INSTANCE, state, (char *)bytes, size);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    return (fmi3Status)deserialize(INSTANCE, (const char *)bytes, size, state);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
                                        const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[],
                                        size_t seeds, fmi3Float64 result[], size_t results)
{
    if (seeds != knowns || results != unknowns)
        return (fmi3Status)say(INSTANCE, STATUS_ERROR, "all variables are scalar: there is one derivative for each");
    return (fmi3Status)directional(INSTANCE, unknowns, unknown, knowns, known, seed, result);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
                                    const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[],
                                    size_t seeds, fmi3Float64 result[], size_t results)
{
    (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)seed, (void)seeds, (void)result, (void)results;
    return (fmi3Status)say(INSTANCE, STATUS_ERROR, "there are no adjoint derivatives");
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c)
{
    (void)c;
    return fmi3OK;
}

/* Clocks have no intervals that an importer must know: they are triggered by time events. */
#define NO_INTERVAL(Name, arguments, unused)                                                                            \
    fmi3Status fmi3##Name arguments                                                                                     \
    {                                                                                                                   \
        (void)r, unused;                                                                                                \
        return count == 0 ? fmi3OK : (fmi3Status)say(INSTANCE, STATUS_ERROR, "clocks of this FMU have no interval");    \
    }

NO_INTERVAL(GetIntervalDecimal,
            (fmi3Instance c, const fmi3ValueReference r[], size_t count, fmi3Float64 x[], fmi3IntervalQualifier q[]),
            ((void)x, (void)q))
NO_INTERVAL(GetIntervalFraction,
            (fmi3Instance c, const fmi3ValueReference r[], size_t count, fmi3UInt64 x[], fmi3UInt64 y[], fmi3IntervalQualifier q[]),
            ((void)x, (void)y, (void)q))
NO_INTERVAL(GetShiftDecimal, (fmi3Instance c, const fmi3ValueReference r[], size_t count, fmi3Float64 x[]),
            ((void)x))
NO_INTERVAL(GetShiftFraction,
            (fmi3Instance c, const fmi3ValueReference r[], size_t count, fmi3UInt64 x[], fmi3UInt64 y[]),
            ((void)x, (void)y))
NO_INTERVAL(SetIntervalDecimal,
            (fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3Float64 x[]),
            ((void)x))
NO_INTERVAL(SetIntervalFraction,
            (fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3UInt64 x[], const fmi3UInt64 y[]),
            ((void)x, (void)y))
NO_INTERVAL(SetShiftDecimal,
            (fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3Float64 x[]),
            ((void)x))
NO_INTERVAL(SetShiftFraction,
            (fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3UInt64 x[], const fmi3UInt64 y[]),
            ((void)x, (void)y))

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *need_update, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *values_changed, fmi3Boolean *timed,
                                    fmi3Float64 *next)
{
    Instant instant = {0, 0, 0, 0.0};
    const int status = happen(INSTANCE, &instant);
    *need_update = *nominals_changed = fmi3False;
    *terminate = instant.terminate;
    *values_changed = instant.changed;
    *timed = instant.timed;
    *next = instant.timed ? instant.next : 0.0;
    return (fmi3Status)status;
}

/* Model exchange */

fmi3Status fmi3EnterEventMode(fmi3Instance c)
{
    NOW.mode = MODE_EVENT;
    return fmi3OK;
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c)
{
    NOW.mode = MODE_CONTINUOUS;
    return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_state_before, fmi3Boolean *enter_event_mode,
                                       fmi3Boolean *terminate)
{
    (void)no_state_before;
    *enter_event_mode = has_drifted(INSTANCE);
    *terminate = fmi3False;
    return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time)
{
    NOW.s.t = time;
    state_changed(&NOW);
    return fmi3OK;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t count)
{
    for (int i = 0; i < N && (size_t)i < count; ++i)
        NOW.s.x[i] = (real)x[i];
    state_changed(&NOW);
    return fmi3OK;
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 derivatives[], size_t count)
{
    const real *const rate = present_rate(&NOW);
    for (int i = 0; i < N && (size_t)i < count; ++i)
        derivatives[i] = rate[i];
    return fmi3OK;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 indicators[], size_t count)
{
    real all[EVENTS_COUNT + 1];
    present_conditions(&NOW, all);
    for (int i = 0; i < INDICATORS && (size_t)i < count; ++i)
        indicators[i] = all[indicator_rows[i]];
    return fmi3OK;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t count)
{
    for (int i = 0; i < N && (size_t)i < count; ++i)
        x[i] = NOW.s.x[i];
    return fmi3OK;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 nominals[], size_t count)
{
    (void)c;
    for (size_t i = 0; i < count; ++i)
        nominals[i] = 1.0;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count)
{
    (void)c;
    *count = INDICATORS;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count)
{
    (void)c;
    *count = N;
    return fmi3OK;
}

/* Co-simulation */

fmi3Status fmi3EnterStepMode(fmi3Instance c)
{
    NOW.mode = MODE_STEP;
    return fmi3OK;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference r[], size_t count, const fmi3Int32 orders[],
                                    fmi3Float64 values[], size_t n)
{
    (void)r, (void)orders, (void)values, (void)n;
    return count == 0 ? fmi3OK : (fmi3Status)say(INSTANCE, STATUS_ERROR, "there are no derivatives of outputs");
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 size, fmi3Boolean no_state_before,
                      fmi3Boolean *needs_events, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last)
{
    int ended, events, status;
    (void)no_state_before;
    status = step(INSTANCE, time, size, last, &ended, &events);
    *needs_events = events;
    *early = events && *last < time + size;
    *terminate = ended;
    return status == STATUS_DISCARD && ended ? fmi3OK : (fmi3Status)status;
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock, (void)time;
    return (fmi3Status)say(INSTANCE, STATUS_ERROR, "this FMU has no scheduled execution");
}
