/* ${name} [PARAMETERS [RESULT]]: reads a parameter file (${name}.par), simulates, and writes ${name}.nc. */

#include "${name}.h"

#include <stdio.h>

static ${name}_simulation s;

int main(int count, char **arguments)
{
    const char *const parameters = count > 1 ? arguments[1] : "${name}.par";
    const char *const result = count > 2 ? arguments[2] : "${name}.nc";
    int status;
    if (count > 3) {
        fprintf(stderr, "usage: %s [PARAMETERS [RESULT]]\n", arguments[0]);
        return 2;
    }
    ${name}_defaults(&s);
    if (${name}_read(&s, parameters)) {
        fprintf(stderr, "%s\n", s.message);
        return 2;
    }
    status = ${name}_simulate(&s);
    fprintf(status < 0 ? stderr : stdout, "${name}: %s\n", s.message);
    if (s.rows == NULL || s.events == NULL || s.held == NULL)
        return 1;
    if (${name}_write(&s, result)) {
        fprintf(stderr, "%s\n", s.message);
        return 2;
    }
    printf("%ld steps, %ld rejected, %ld evaluations, %.6f s: %s\n", s.steps, s.rejected, s.evaluations, s.seconds, result);
    return status < 0;
}
