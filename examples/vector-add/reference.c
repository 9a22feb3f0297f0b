/* Computes the expected result of vector_add (y) in plain C. Writes y.f32 */
#include "examples/write_file.h"

int main(void)
{
    float y[1000];

    for (int i = 0; i < 1000; i++)
        y[i] = 1 + 0.5f * (float)i + 3 * (0.25f * (float)i); /* all exact: no matter whether it is fused */
    return write_file("y.f32", y, sizeof y);
}
