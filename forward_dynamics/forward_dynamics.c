#include "forward_dynamics.h"

#include <math.h>

static double least(double a, double b)
{
    return a < b || isnan(a) ? a : b;
}

static double most(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

void forward_dynamics(
    const double *restrict parameters,
    const double *restrict t,
    const double *restrict q,
    const double *restrict u,
    const double *restrict z,
    const double *restrict inputs,
    const double *restrict tau,
    double *restrict u_dot)
{
    (void)parameters;
    (void)t;
    (void)inputs;
    const double t1 = 2.0*(q[4]*q[4]);
    const double t2 = 2.0*(q[5]*q[5]);
    const double t3 = 2.0*(q[6]*q[6]);
    const double t4 = 2.0*(q[4]*q[5]);
    const double t5 = 2.0*(q[4]*q[6]);
    const double t6 = 2.0*(q[5]*q[6]);
    const double t7 = 2.0*(q[3]*q[4]);
    const double t8 = 2.0*(q[3]*q[5]);
    const double t9 = 2.0*(q[3]*q[6]);
    const double t10 = 1.0 - (t2 + t3);
    const double t11 = t4 - t9;
    const double t12 = t5 + t8;
    const double t13 = t4 + t9;
    const double t14 = 1.0 - (t1 + t3);
    const double t15 = t6 - t7;
    const double t16 = t5 - t8;
    const double t17 = t6 + t7;
    const double t18 = 1.0 - (t1 + t2);
    const double t19 = 0.1 - q[2];
    const double t20 = q[2] + (t19*0.5 - 0.1) - q[2];
    const double t21 = u[3]*t10 + u[4]*t11 + u[5]*t12 + (u[0]*t13 + u[1]*t14 + u[2]*t15)*t20;
    const double t22 = u[3]*t13 + u[4]*t14 + u[5]*t15 - (u[0]*t10 + u[1]*t11 + u[2]*t12)*t20;
    const double t23 = 10000.0*most(t19, 0.0)*most(1.0 - (u[3]*t16 + u[4]*t17 + u[5]*t18)*0.2, 0.0);
    const double t24 = sqrt(1e-16 + (z[0]*z[0] + z[1]*z[1]));
    const double t25 = most(z[0]*t21 + z[1]*t22, 0.0)/t24*least(most((t24 - 0.95)*19.999999999999982, 0.0), 2.0);
    const double t26 = z[0] + (t21 - z[0]*t25/t24)*4.0;
    const double t27 = z[1] + (t22 - z[1]*t25/t24)*4.0;
    const double t28 = most(sqrt(1e-16 + (t26*t26 + t27*t27)), 1.0);
    const double t29 = t25*100.0;
    const double t30 = t23*(0.3 + 0.10000000000000003*exp(-t29*t29));
    const double t31 = t26/t28*t30;
    const double t32 = t27/t28*t30;
    const double t33 = t20*t32;
    const double t34 = t20*t31;
    const double f_1 = t10*t33 - t13*t34; /* generalised force on ball.wx */
    u_dot[0] = (tau[0] + f_1)*250.0;
    const double f_2 = t11*t33 - t14*t34; /* generalised force on ball.wy */
    u_dot[1] = (tau[1] + f_2)*250.0;
    const double f_3 = t12*t33 - t15*t34; /* generalised force on ball.wz */
    u_dot[2] = (tau[2] + f_3)*250.0;
    const double a_ball_1 = u[1]*u[5] - u[2]*u[4] + t16*9.81; /* acceleration minus gravity of ball along ball1, without udot terms */
    const double a_ball_2 = u[2]*u[3] - u[0]*u[5] + t17*9.81; /* acceleration minus gravity of ball along ball2, without udot terms */
    const double a_ball_3 = u[0]*u[4] - u[1]*u[3] + t18*9.81; /* acceleration minus gravity of ball along ball3, without udot terms */
    const double F_ball_1 = a_ball_1 - (t16*t23 - (t10*t31 + t13*t32)); /* force through the joint of ball along ball1 */
    u_dot[3] = tau[3] - F_ball_1;
    const double F_ball_2 = a_ball_2 - (t17*t23 - (t11*t31 + t14*t32)); /* force through the joint of ball along ball2 */
    u_dot[4] = tau[4] - F_ball_2;
    const double F_ball_3 = a_ball_3 - (t18*t23 - (t12*t31 + t15*t32)); /* force through the joint of ball along ball3 */
    u_dot[5] = tau[5] - F_ball_3;
}
