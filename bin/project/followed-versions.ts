/** Finds plugins and controllers of a project that follow versions which its definitions do not have. */
import { relative } from 'node:path';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import type { Gate } from '../../generator/diff/gate.js';
import type { ResourceModel } from '../../generator/model/model.js';
import type { AdmissionHost, AdmissionPlugin, FollowedObjects } from '../../runtime/contract/index.js';
import { genericNotFound } from '../../runtime/objects/status.js';
import { sourceOf } from './load/read-parts.js';
import type { Project } from './project.js';

/** A version that a part follows. */
interface Followed {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

type Parts = Pick<Project, 'file' | 'admissionPlugins' | 'controllers'>;

/**
 * Returns the mistakes of parts, as mistakes of their files. Starts each plugin once, without objects, to see what it
 * follows.
 */
export function followedVersions({ file, admissionPlugins, controllers }: Parts): Gate {
  return ({ model }) => {
    const mistakes = (part: object, what: string, all: readonly Followed[], isServed: boolean): Diagnostic[] =>
      all.flatMap((followed) => {
        const problem = problemOf(model.resources, followed, isServed);
        const place = { file: relative('', sourceOf(part) ?? file), line: 1, column: 1 };
        return problem ? [{ ...place, code: 'KF4045', severity: 'error', message: `${what} follows ${problem}` }] : [];
      });
    return [
      ...admissionPlugins.flatMap((one) => mistakes(one, `the admission plugin ${one.name}`, followedBy(one), false)),
      ...controllers.flatMap((one) => mistakes(one, `the controller ${one.name}`, one.follows ?? [], true)),
    ];
  };
}

/** Returns the problem with a version. Ignores resources that the project does not define. */
function problemOf(
  resources: readonly ResourceModel[],
  { group, version, plural }: Followed,
  isServed: boolean,
): string | undefined {
  const resource = resources.find((one) => one.group === group && one.names.plural === plural);
  if (!resource) return undefined;
  const usable = resource.versions.filter(({ served }) => served || !isServed).map(({ name }) => name);
  if (usable.includes(version)) return undefined;
  const name = group === '' ? plural : `${plural}.${group}`;
  return `${name} in ${version}, which is not ${isServed ? 'served' : 'there'}; use ${usable.join(' or ')}`;
}

const nothing: FollowedObjects = { get: () => undefined, list: () => [] };

/** Starts a plugin, and returns the versions that it asks for. Without a server, the start may fail at some point. */
function followedBy(plugin: AdmissionPlugin): readonly Followed[] {
  const found: Followed[] = [];
  const note = (group: string, plural: string, version: string | undefined): void => {
    if (version !== undefined) found.push({ group, plural, version });
  };
  const host: AdmissionHost = {
    featureEnabled: () => true,
    resources: { find: () => undefined, all: () => [], ofKind: () => undefined, equivalents: () => [] },
    follow: (group, plural, _sink, version) => {
      note(group, plural, version);
      return { stop() {} };
    },
    objects: (group, plural, version) => {
      note(group, plural, version);
      return nothing;
    },
    update: async () => ({ ok: false, failure: genericNotFound() }),
  };
  try {
    plugin.start?.(host);
  } catch {
    // The plugin needs a server. If it has a mistake, the server reports that at its start.
  }
  return found;
}
