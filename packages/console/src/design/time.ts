/** Returns the age of a time in one unit, as kubectl writes it: `4s`, `12m`, `3h`, `8d`, `2y`. Empty if the text is not a time. */
export function ageOf(time: string, now: number): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return '';
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  const [size, unit] = units.find(([from]) => seconds >= from) ?? [1, 's'];
  return `${Math.floor(seconds / size)}${unit}`;
}

const units: readonly (readonly [seconds: number, unit: string])[] = [
  [365 * 86_400, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];
