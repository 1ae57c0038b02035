/** The options of unstorage's drivers. */

/** A driver's options by name. */
export type DriverOptions = Readonly<Record<string, unknown>>;
