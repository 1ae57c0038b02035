/** Lists in which `*` stands for everything. */

const everything = '*';

/** Whether a list says everything, and still something else. */
export const saysMoreThanEverything = (list: readonly string[]): boolean =>
  list.length > 1 && list.includes(everything);

/** Whether a list says everything. */
export const saysEverything = (list: readonly string[]): boolean => list.includes(everything);
