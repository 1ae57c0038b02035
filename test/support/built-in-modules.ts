/** The built-in modules of the release that the specification documents. */
import { registry as all } from '../../generated/registry.js';
import { emulate } from '../../runtime/objects/release.js';
import { modulesInRelease } from '../../runtime/server/index.js';

export const registry = modulesInRelease(all, emulate());
