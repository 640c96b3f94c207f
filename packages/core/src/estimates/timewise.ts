/** From the constant to the highest power. */
type Polynomial = readonly number[]

/** Which polynomial holds up to where. Fitted to observed updates of a reference cluster; the numbers are not ours to improve. */
const curve: readonly { readonly below: number; readonly polynomial: Polynomial }[] = [
  { below: 0.25, polynomial: [-0.03078788, 2.62886, -3.823954] },
  { below: 0.9, polynomial: [0.1851215, 1.64994, -4.676898, 5.451824, -2.125286] },
  { below: Number.POSITIVE_INFINITY, polynomial: [25053.32, -107394.3, 172527.2, -123107, 32921.81] },
]

/**
 * The part of the time that an update has behind it when this part of its operators is done. They differ a lot: most operators are done in the
 * first half of the time, and the last one, which reboots machines, takes a third of it alone.
 *
 * Caveats: it is a fit, and shows it. It is negative when nearly nothing is done, jumps where one polynomial takes over from another, falls a little around
 * 0.4, and ends above 1.
 */
export function timewiseCompletion(operatorCompletion: number): number {
  const piece = curve.find(({ below }) => operatorCompletion < below)
  return piece === undefined ? Number.NaN : valueOf(piece.polynomial, operatorCompletion)
}

function valueOf(polynomial: Polynomial, x: number): number {
  let power = 1
  let sum = 0
  for (const coefficient of polynomial) {
    sum += coefficient * power
    power *= x
  }
  return sum
}
