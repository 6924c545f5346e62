/* The functions of FMI 2.0. */

#include "fmi2Functions.h"

#define INSTANCE ((Instance *)c)
#define NOW (INSTANCE->now)

/* The message is passed as the format, whose % are doubled: some importers do not read further arguments. */
static void log_2(Instance *m, int status, const char *category, const char *message)
{
    const fmi2CallbackLogger logger = (fmi2CallbackLogger)m->callback;
    char format[2*MESSAGE], *end = format;
    if (logger == NULL)
        return;
    for (; *message != '\0'; ++message) {
        *end++ = *message;
        if (*message == '%')
            *end++ = '%';
    }
    *end = '\0';
    logger(m->environment, m->name, (fmi2Status)status, category, format);
}

const char *fmi2GetTypesPlatform(void)
{
    return fmi2TypesPlatform;
}

const char *fmi2GetVersion(void)
{
    return fmi2Version;
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String names[])
{
    return (fmi2Status)set_logging(INSTANCE, on, count, names);
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    Instance *const m = new_instance(name, type == fmi2ModelExchange, logging,
                                     functions == NULL ? NULL : functions->componentEnvironment);
    (void)resources, (void)visible;
    if (m == NULL)
        return NULL;
    m->log = log_2;
    m->callback = functions == NULL ? NULL : (void (*)(void))functions->logger;
    if (guid == NULL || strcmp(guid, GUID) != 0) {
        say(m, STATUS_ERROR, "the guid is not that of this FMU: the description belongs to another binary");
        free(m);
        return NULL;
    }
    return m;
}

void fmi2FreeInstance(fmi2Component c)
{
    free(c);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_is_given, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean stop_is_given, fmi2Real stop)
{
    (void)stop_is_given, (void)stop;
    if (tolerance_is_given)
        set_tolerance(INSTANCE, tolerance);
    set_start(INSTANCE, start);
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    NOW.mode = MODE_INITIALIZATION;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    return (fmi2Status)begin(INSTANCE);
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    NOW.mode = MODE_TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c)
{
    set_defaults(INSTANCE);
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
    return (fmi2Status)get(INSTANCE, count, references, values);
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Real values[])
{
    return (fmi2Status)set(INSTANCE, count, references, values);
}

static fmi2Status no_such(fmi2Component c, size_t count)
{
    return count == 0 ? fmi2OK : (fmi2Status)say(INSTANCE, STATUS_ERROR, "all variables of this FMU are real");
}

#define NONE_OF_TYPE(Type)                                                                                              \
    fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference r[], size_t count, fmi2##Type values[])          \
    {                                                                                                                   \
        (void)r, (void)values;                                                                                          \
        return no_such(c, count);                                                                                       \
    }                                                                                                                   \
    fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference r[], size_t count, const fmi2##Type values[])    \
    {                                                                                                                   \
        (void)r, (void)values;                                                                                          \
        return no_such(c, count);                                                                                       \
    }

NONE_OF_TYPE(Integer)
NONE_OF_TYPE(Boolean)
NONE_OF_TYPE(String)

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    return (fmi2Status)copy_state(INSTANCE, state);
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    return (fmi2Status)restore_state(INSTANCE, state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)c, (void)state;
    *size = serialized_size();
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    return (fmi2Status)serialize(INSTANCE, state, bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    return (fmi2Status)deserialize(INSTANCE, bytes, size, state);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                        const fmi2ValueReference known[], size_t knowns, const fmi2Real seed[],
                                        fmi2Real result[])
{
    return (fmi2Status)directional(INSTANCE, unknowns, unknown, knowns, known, seed, result);
}

/* Model exchange */

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    NOW.mode = MODE_EVENT;
    return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    Instant instant = {0, 0, 0, 0.0};
    const int status = happen(INSTANCE, &instant);
    info->newDiscreteStatesNeeded = fmi2False;
    info->terminateSimulation = instant.terminate;
    info->nominalsOfContinuousStatesChanged = fmi2False;
    info->valuesOfContinuousStatesChanged = instant.changed;
    info->nextEventTimeDefined = instant.timed;
    info->nextEventTime = instant.timed ? instant.next : 0.0;
    return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    NOW.mode = MODE_CONTINUOUS;
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_state_before, fmi2Boolean *enter_event_mode,
                                       fmi2Boolean *terminate)
{
    (void)no_state_before;
    *enter_event_mode = has_drifted(INSTANCE);
    *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    NOW.s.t = time;
    state_changed(&NOW);
    return fmi2OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t count)
{
    for (int i = 0; i < N && (size_t)i < count; ++i)
        NOW.s.x[i] = (real)x[i];
    state_changed(&NOW);
    return fmi2OK;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t count)
{
    const real *const rate = present_rate(&NOW);
    for (int i = 0; i < N && (size_t)i < count; ++i)
        derivatives[i] = rate[i];
    return fmi2OK;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t count)
{
    real all[EVENTS_COUNT + 1];
    present_conditions(&NOW, all);
    for (int i = 0; i < INDICATORS && (size_t)i < count; ++i)
        indicators[i] = all[indicator_rows[i]];
    return fmi2OK;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t count)
{
    for (int i = 0; i < N && (size_t)i < count; ++i)
        x[i] = NOW.s.x[i];
    return fmi2OK;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominals[], size_t count)
{
    (void)c;
    for (size_t i = 0; i < count; ++i)
        nominals[i] = 1.0;
    return fmi2OK;
}

/* Co-simulation */

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t count,
                                       const fmi2Integer order[], const fmi2Real values[])
{
    (void)r, (void)order, (void)values;
    return count == 0 ? fmi2OK : (fmi2Status)say(INSTANCE, STATUS_ERROR, "inputs are constant in each step");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t count,
                                        const fmi2Integer order[], fmi2Real values[])
{
    (void)r, (void)order, (void)values;
    return count == 0 ? fmi2OK : (fmi2Status)say(INSTANCE, STATUS_ERROR, "there are no derivatives of outputs");
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real size, fmi2Boolean no_state_before)
{
    double last;
    int terminate, events;
    (void)no_state_before;
    return (fmi2Status)step(INSTANCE, time, size, &last, &terminate, &events);
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    return (fmi2Status)say(INSTANCE, STATUS_ERROR, "steps end before fmi2DoStep returns; none can be cancelled");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)kind;
    *value = NOW.s.status < 0 ? fmi2Error : fmi2OK;
    return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    *value = NOW.s.t;
    return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    *value = NOW.s.status != 0;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)kind;
    *value = NOW.s.message;
    return fmi2OK;
}
