/** The kit for writing plugins. Users import it from `kindforge/contract`. */
export * as configurationSchema from './admission/configuration.js';
export {
  type ConfigurationDefinition,
  type ConfiguredPlugin,
  defineAdmissionPlugin,
} from './admission/define-admission-plugin.js';
export { type AboutKind, forKind, type KindAttributes, type KindSteps, objectsOf } from './admission/for-kind.js';
export { anonymousUser, authenticatedUser } from './authentication/user-info.js';
