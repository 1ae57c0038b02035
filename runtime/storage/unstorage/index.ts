/** The backend over unstorage drivers. */
export { type UnstorageOptions, unstorageBackend } from './backend.js';
export type { DriverOptions } from './driver-options.js';
export { type OpenDriver, openDriver } from './drivers.js';
export type { OwnershipTiming } from './ownership.js';
