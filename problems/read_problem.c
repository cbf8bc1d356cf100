/* Reads a contact problem of slipset's library and checks the solution that stands in it. Needs libhdf5 alone:
 *   gcc -std=c11 read_problem.c -I/usr/include/hdf5/serial -lhdf5_serial -lm -o read_problem    (or h5cc)
 *   ./read_problem FILE.hdf5
 * For local problems with three rows per contact (normal, two tangents) and no joints; docs/problems.md. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hid_t file;

static int has(const char* name) {
  char part[256];
  /* Every group on the way has to be there, too. */
  for (size_t i = 1; i <= strlen(name) && i < sizeof part; ++i)
    if (name[i] == '/' || name[i] == 0) {
      memcpy(part, name, i);
      part[i] = 0;
      if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return 0;
    }
  return 1;
}

/* All numbers of a dataset, of whatever type; ends the program where there are none or not so many (-1: any). */
static double* numbers(const char* name, long expected, long* count) {
  hid_t set = has(name) ? H5Dopen2(file, name, H5P_DEFAULT) : -1;
  hid_t space = set < 0 ? -1 : H5Dget_space(set);
  long size = space < 0 ? -1 : (long)H5Sget_simple_extent_npoints(space);
  double* x = size < 0 ? NULL : malloc((size_t)(size + 1) * sizeof *x);
  if (!x || (expected >= 0 && size != expected) ||
      H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0) {
    fprintf(stderr, "%s: missing, or not %ld numbers\n", name, expected);
    exit(2);
  }
  H5Sclose(space);
  H5Dclose(set);
  if (count) *count = size;
  return x;
}

/* The law of a contact: the names and numbers of its two sets. */
static void print_law(int law) {
  const char* const part[] = {"reservoir", "direction"};
  for (int k = 0; k < 2; ++k) {
    char name[64], *shape = NULL;
    long count = 0;
    snprintf(name, sizeof name, "slipset/laws/%d/%s", law, part[k]);
    double* x = numbers(name, -1, &count);
    hid_t attribute = H5Aopen_by_name(file, name, "shape", H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    if (H5Aread(attribute, type, &shape) < 0) exit(2);
    printf("law %d, %s: %s", law, part[k], shape);
    for (long i = 0; i < count; ++i) printf(" %g", x[i]);
    printf("\n");
    H5free_memory(shape);
    H5Tclose(type);
    H5Aclose(attribute);
    free(x);
  }
}

/* sum = W x + q, in compressed columns; returns the largest number that adds up in it. */
static double multiply(long rows, const double* start, const double* row, const double* w, const double* x,
                       const double* q, double* sum) {
  double *size = calloc((size_t)rows + 1, sizeof *size), largest = 0;
  if (!size) exit(2);
  for (long k = 0; k < rows; ++k) {
    sum[k] = q[k];
    size[k] = fabs(q[k]);
  }
  for (long k = 0; k < rows; ++k)
    for (long j = (long)start[k]; j < (long)start[k + 1]; ++j) {
      const long i = (long)row[j];
      if (i < 0 || i >= rows) exit(2);
      sum[i] += w[j] * x[k];
      size[i] += fabs(w[j] * x[k]);
    }
  for (long k = 0; k < rows; ++k) largest = fmax(largest, size[k]);
  free(size);
  return largest;
}

/* A number that is none stays. */
static double larger(double a, double b) { return a >= b || a != a ? a : b; }

int main(int argc, char** argv) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = argc == 2 ? H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
  if (file < 0 || !has("fclib_local/W") || has("fclib_local/V")) {
    fprintf(stderr, "usage: read_problem FILE, a local problem without joints\n");
    return 2;
  }
  long n = 0, nonzeros = 0;
  double* mu = numbers("fclib_local/vectors/mu", -1, &n);
  const long rows = 3 * n;
  double *q = numbers("fclib_local/vectors/q", rows, NULL), *start = numbers("fclib_local/W/p", rows + 1, NULL);
  double *row = numbers("fclib_local/W/i", -1, &nonzeros), *w = numbers("fclib_local/W/x", nonzeros, NULL);
  if (start[rows] > (double)nonzeros) return 2;
  printf("contacts %ld\nnonzeros %ld\n", n, nonzeros);
  if (has("slipset/law")) {
    double *law = numbers("slipset/law", n, NULL), most = -1;
    for (long i = 0; i < n; ++i) most = fmax(most, law[i]);
    for (int k = 0; k <= most; ++k) print_law(k);
    free(law);
  } else
    printf("isotropic friction\n");

  int right = 0;
  double *sum = calloc((size_t)rows + 1, sizeof *sum), *nothing = calloc((size_t)rows + 1, sizeof *nothing);
  if (!sum || !nothing) return 2;
  if (has("solution/r")) {
    /* u = W r + q; the largest difference over the largest number that adds up in it. */
    double *r = numbers("solution/r", rows, NULL), *u = numbers("solution/u", rows, NULL);
    const double scale = multiply(rows, start, row, w, r, q, sum);
    double equation = 0, penetration = 0, pull = 0, product = 0, beyond = 0, most = 0;
    /* Normals: u >= 0, r >= 0, one of them 0; friction: within the disk of the largest coefficient. */
    for (long k = 0; k < rows; ++k) most = larger(most, fabs(r[k]));
    for (long i = 0; i < rows; i += 3) {
      for (long k = i; k < i + 3; ++k) equation = larger(equation, fabs(u[k] - sum[k]) / scale);
      penetration = larger(penetration, -u[i] / scale);
      pull = larger(pull, -r[i]);
      product = larger(product, fabs(u[i] * r[i]));
      beyond = larger(beyond, hypot(r[i + 1], r[i + 2]) - mu[i / 3] * r[i]);
    }
    printf("equation %.17g\npenetration %.17g\npull %.17g\n", equation, penetration, pull);
    printf("product %.17g\nbeyond %.17g\n", product, beyond);
    right = equation < 1e-9 && penetration < 1e-9 && pull <= 1e-9 * most && product <= 1e-9 * scale * most &&
            beyond <= 1e-9 * most;
    free(r), free(u);
  } else if (has("slipset/certificate/contradiction")) {
    /* Normals alone push, W p = 0, q.p < 0: there is no solution. */
    double *p = numbers("slipset/certificate/contradiction", rows, NULL), power = 0, imbalance = 0;
    const double scale = multiply(rows, start, row, w, p, nothing, sum);
    right = 1;
    for (long k = 0; k < rows; ++k) {
      power += q[k] * p[k];
      imbalance = larger(imbalance, fabs(sum[k]) / scale);
      if (k % 3 ? p[k] != 0 : p[k] < 0) right = 0;
    }
    printf("no solution: imbalance %.17g power %.17g\n", imbalance, power);
    right = right && imbalance < 1e-9 && power < 0;
    free(p);
  } else
    printf("neither a solution nor a proof that there is none\n");
  free(sum), free(nothing), free(w), free(row), free(start), free(q), free(mu);
  H5Fclose(file);
  return right ? 0 : 1;
}
