/** Compares the machine with the one that limits of processor time were set on, by a fixed piece of work. */

/** Milliseconds of processor time that the work took there. */
const usual = 480;

/**
 * Compares the time that some work takes here with the machine that the limit was set on. It measures processor time,
 * without waiting.
 */
export function speed(): number {
  const object = Object.fromEntries(Array.from({ length: 45_000 }, (_, i) => [`field-${i}`, `value ${i}`]));
  const start = process.cpuUsage();
  for (let round = 0; round < 10; round++) JSON.stringify(JSON.parse(JSON.stringify(object)));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / usual;
}
