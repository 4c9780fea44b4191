//===- InverseErf.h - the inverse error function --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// erfinv(x) / x is a smooth function of w = -log(1 - x^2), which polynomials in
// w or sqrt(w) approximate (Giles, Approximating the erfinv function, GPU
// Computing Gems, Jade Edition, 2011). These interpolate it at Chebyshev nodes.
// Both factors of 1 - x^2 = (1 - x) (1 + x) are exact to a rounding where x is
// close to 1 or -1.
//
// The template serves numbers and expressions: `Number` has arithmetic, `log`,
// `sqrt`, `abs`, `less`, `equal`, `select` and `isSingle`.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_INVERSEERF_H
#define TENON_DIALECT_GRAPH_IR_INVERSEERF_H

#include <cmath>
#include <initializer_list>
#include <limits>

namespace tenon::graph::scalar {

inline bool isSingle(double) { return false; }
inline bool less(double a, double b) { return a < b; }
inline bool equal(double a, double b) { return a == b; }
inline double select(bool condition, double then, double otherwise) {
  return condition ? then : otherwise;
}

/// By Horner's rule; the coefficient of the highest power comes first.
template <typename Number>
Number polynomial(Number x, std::initializer_list<double> coefficients) {
  const double *it = coefficients.begin();
  Number sum = it[0] * x + it[1];
  for (it += 2; it != coefficients.end(); ++it)
    sum = sum * x + *it;
  return sum;
}

/// erfinv(x) / x to 2^-25, for w < 16: all x of f32.
template <typename Number> Number inverseErfRatioSingle(Number w) {
  return select(
      less(w, 6.25),
      polynomial(w,
                 {6.98368073e-10, -2.64316488e-8, 4.10837213e-7, -3.11039128e-6,
                  8.0921171e-6, 3.53064086e-5, -0.000114702281, -0.00234450809,
                  0.0115528413, 0.232013143, 0.886226939}),
      polynomial(w - 10.0,
                 {-2.53239498e-11, 5.35667239e-10, -4.46191083e-9,
                  1.07979379e-8, 3.03752366e-7, -8.40148465e-6, 0.000171483066,
                  -0.00380736348, 0.158781613, 2.99574594}));
}

/// The same to 2^-53, for w < 37: all x of f64.
template <typename Number> Number inverseErfRatioDouble(Number w) {
  using std::sqrt;
  Number root = sqrt(w);
  return select(
      less(w, 6.25),
      polynomial(w - 3.125, {3.2407044593799019e-21,  -1.1134837698327019e-21,
                             -3.4996044354754178e-19, 1.150022252066253e-18,
                             1.5574320246233252e-17,  -1.3016928016796445e-16,
                             -4.0282154327661742e-17, 6.5964077124208341e-15,
                             -4.0012377350918959e-14, -8.1183994430743532e-14,
                             2.6304834740560441e-12,  -1.2976885526532076e-11,
                             -5.4142871980847161e-11, 1.0512181539804127e-9,
                             -4.1126608200232401e-9,  -2.9070382262927266e-8,
                             4.2347881737823393e-7,   -1.3654691850603575e-6,
                             -1.3882523394405317e-5,  0.00018673420802464838,
                             -0.00074070253415447699, -0.0060336708714278499,
                             0.24015818242558832,     1.6536545626831027}),
      select(less(w, 16.0),
             polynomial(root - 3.25,
                        {-3.8310399460724114e-10, 9.0719505710299225e-8,
                         -2.6860975725571461e-7, 1.8323999881328578e-8,
                         1.4958263152984917e-6, -4.0139463981902919e-6,
                         2.9273722115986926e-6, 1.2475343474376931e-5,
                         -4.731952918337189e-5, 6.8284840522929234e-5,
                         2.4031363245440548e-5, -0.0003550375186306976,
                         0.00095328935211181778, -0.0016882755561681803,
                         0.0024914420976198812, -0.0037512085075638538,
                         0.0053709145535581983, 1.0052589676941592,
                         3.0838856104922207}),
             polynomial(root - 5.0,
                        {2.4693196084563385e-11, -2.0982548504641602e-11,
                         -3.5909382990194159e-10, 1.4837663622348064e-9,
                         -3.6108971469219761e-9, 7.6534273240520426e-9,
                         -1.5123314657222544e-8, 2.9117037792396719e-8,
                         -6.7627018343920749e-8, 2.2901880626931103e-7,
                         -9.9300780600174844e-7, 4.5260591753048529e-6,
                         -1.9681774181600906e-5, 7.5995277439690756e-5,
                         -0.00021503011957626839, -0.00013871931835485349,
                         1.0103004648645401, 4.8499064014085842})));
}

/// The number whose error function is x: infinite at 1 and -1, and NaN beyond.
template <typename Number> Number inverseErf(Number x) {
  using std::abs;
  using std::log;
  Number w = -log((1.0 - x) * (1.0 + x));
  Number ratio =
      isSingle(x) ? inverseErfRatioSingle(w) : inverseErfRatioDouble(w);
  return select(equal(abs(x), 1.0), x * std::numeric_limits<double>::infinity(),
                x * ratio);
}

} // namespace tenon::graph::scalar

#endif // TENON_DIALECT_GRAPH_IR_INVERSEERF_H
