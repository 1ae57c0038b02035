/** The backend over unstorage drivers. */
export { unstorageBackend } from './backend.js';
export { openDriver } from './drivers.js';
export type { DriverOptions, UnstorageOptions } from './options.js';
