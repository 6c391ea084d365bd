/* The yardstick: the finite-difference arm with hub inertia as a plain loop, nothing but the motion.
   y[0..n] nodes, theta hub angle; state arrays hold this and the previous step (position form). */
#include <string.h>

double march(int n, long steps, double h, double EI, double rho, double L, double Ih, double torque, long switch1,
             long switch2, double *tip)
{
    double dx = L / n, c = EI * h * h / (rho * dx * dx * dx * dx);
    double a[512] = {0}, b[512] = {0}, d[512] = {0}, *y = a, *old = b, *next = d;
    double theta = 0, theta_old = 0, theta_next;
    for (long j = 0; j < steps; j++) {
        double tau = j == 0 ? torque / 2 : j < switch1 ? torque : j == switch1 ? 0 : j < switch2 ? -torque
                     : j == switch2 ? -torque / 2 : 0;
        double k0 = 2 * (y[1] - dx * theta);              /* curvature times dx^2 */
        theta_next = 2 * theta - theta_old + h * h / Ih * (tau + EI * k0 / (dx * dx));
        double k1 = y[2] - 2 * y[1];
        next[1] = 2 * y[1] - old[1] - c * (k0 - 2 * k1 + (y[3] - 2 * y[2] + y[1]));
        for (int i = 2; i < n - 1; i++)
            next[i] = 2 * y[i] - old[i] - c * (y[i - 2] - 4 * y[i - 1] + 6 * y[i] - 4 * y[i + 1] + y[i + 2]);
        double km = y[n] - 2 * y[n - 1] + y[n - 2], kmm = y[n - 1] - 2 * y[n - 2] + y[n - 3];
        next[n - 1] = 2 * y[n - 1] - old[n - 1] - c * (kmm - 2 * km);
        next[n] = 2 * y[n] - old[n] - 2 * c * km;
        double *t = old; old = y; y = next; next = t;
        theta_old = theta; theta = theta_next;
        tip[j % 512] = y[n];
    }
    return y[n];
}
