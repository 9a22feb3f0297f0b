/* What vector_add should leave in y: the same in plain C. cc reference.c && ./a.out >y.f32 */
#include <stdio.h>

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        float x = 0.25f * (float)i, y = 1 + 0.5f * (float)i;

        y += 3 * x; /* all exact: no matter whether it is fused */
        fwrite(&y, sizeof y, 1, stdout);
    }
    return 0;
}
