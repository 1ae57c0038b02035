/** The upper bounds of histograms that several metrics share, in seconds. */

/** Bounds for requests, whose objectives are in seconds. */
export const requestSeconds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** The same without the first two, which no objective asks about. */
export const objectiveSeconds: readonly number[] = requestSeconds.slice(2);

export const admissionSeconds: readonly number[] = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** The same with bounds for those that wait for others. */
export const webhookSeconds: readonly number[] = [...admissionSeconds, 10, 25];

/** Bounds for what takes milliseconds as a rule. */
export const usualSeconds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const filterSeconds: readonly number[] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5];

/** Bounds that double each time. */
export const doubling = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => Number((first * 2 ** i).toPrecision(12)));
