/** The lock is only compared where nothing may be written. */
export const options = { check: true };
