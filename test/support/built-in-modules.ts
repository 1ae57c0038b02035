/** The built-in modules of a server that does not emulate a release. */
import { registry as ofAllReleases } from '../../generated/registry.js';
import { emulate } from '../../runtime/objects/release.js';
import { modulesInRelease } from '../../runtime/registry/modules-in-release.js';

export const registry = modulesInRelease(ofAllReleases, emulate());
