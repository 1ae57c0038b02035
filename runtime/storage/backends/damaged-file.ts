/** The error of a data file that cannot be opened as it is, whatever of it is left out. */

/** A file of the data is damaged, empty or gone, as a whole or in the parts that lead to all others. */
export class DamagedFileError extends Error {
  constructor(
    readonly path: string,
    problem: string,
    cure = 'move the folder away, and restore a snapshot or a copy of it',
    options?: ErrorOptions,
  ) {
    super(`${path} ${problem}; ${cure}`, options);
    this.name = 'DamagedFileError';
  }
}
