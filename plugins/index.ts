/** The plugins that come with the server, and how they are found by name. */
export * from './admission/index.js';
export * from './audit/index.js';
export * from './authentication/index.js';
export * from './authorization/index.js';
export { type Named, type PluginTable, pluginsByName } from './plugin-table.js';
export * from './signing/index.js';
