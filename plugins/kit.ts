/** What plugins are written with: ours, and those of users, who import it from `kindforge/contract`. */
export * as configurationSchema from './admission/configuration/schema.js';
export {
  type ConfigurationDefinition,
  type ConfiguredPlugin,
  defineAdmissionPlugin,
} from './admission/define-admission-plugin.js';
export { type AboutKind, forKind, type KindAttributes, type KindSteps } from './admission/typed/for-kind.js';
export { objectsOf } from './admission/typed/objects-of.js';
export { anonymousUser, authenticatedUser } from './authentication/users.js';
