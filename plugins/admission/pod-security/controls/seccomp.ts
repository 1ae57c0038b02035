/** Controls of seccomp profiles: none switches them off, and in the restricted level every container has one. */
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../../runtime/objects/guards.js';
import { quote } from '../../../../runtime/objects/printing.js';
import { type Check, type Control, type JudgedPod, unlessOnWindows, type Violation } from '../control.js';
import { containersText, counted, distinct, quoted, settersText } from '../words.js';

const reason = 'seccompProfile';

const isAllowedText = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');

/** Profiles were annotations before they were fields. */
const checkAnnotations: Check = ({ annotations, containers }, { rename }) => {
  const ofContainer = rename('container.seccomp.security.alpha.platform.io/');
  const keys = [
    rename('seccomp.security.alpha.platform.io/pod'),
    ...containers.map(({ name }) => `${ofContainer}${name}`),
  ];
  const forbidden = keys.flatMap((key) => {
    const value = annotations.get(key);
    return value === undefined || isAllowedText(value) ? [] : [`${key}=${quote(value)}`];
  });
  if (forbidden.length === 0) return undefined;
  const listed = distinct(forbidden);
  const noun = counted('annotation', 'annotations', listed.length);
  return { reason, detail: `forbidden ${noun} ${listed.join(', ')}` };
};

/** The type of a profile; `undefined` where there is none. */
function profileOf(securityContext: JsonObject | undefined): string | undefined {
  const profile = objectAt(securityContext, 'seccompProfile');
  return profile && stringAt(profile, 'type');
}

const isAllowed = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';

const isForbidden = (type: string | undefined): type is string => type !== undefined && !isAllowed(type);

function forbiddenProfiles({ securityContext, containers }: JudgedPod): Violation | undefined {
  const setting = containers.filter((container) => isForbidden(profileOf(container.securityContext)));
  const setters = settersText(isForbidden(profileOf(securityContext)), setting);
  if (setters === '') return undefined;
  const all = [securityContext, ...containers.map((container) => container.securityContext)].map(profileOf);
  const types = quoted(distinct(all.filter(isForbidden)));
  return { reason, detail: `${setters} must not set securityContext.seccompProfile.type to ${types}` };
}

/** A profile is set, by each container or for all of them by the pod. */
const checkSet: Check = (pod) => {
  const forbidden = forbiddenProfiles(pod);
  if (forbidden || isAllowed(profileOf(pod.securityContext))) return forbidden;
  const without = pod.containers.filter((container) => profileOf(container.securityContext) === undefined);
  if (without.length === 0) return undefined;
  const types = '"RuntimeDefault" or "Localhost"';
  return {
    reason,
    detail: `pod or ${containersText(without)} must set securityContext.seccompProfile.type to ${types}`,
  };
};

export const seccompControls: readonly Control[] = [
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      { since: 0, check: checkAnnotations },
      { since: 19, check: forbiddenProfiles },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    replaces: 'seccompProfile_baseline',
    versions: [
      { since: 19, check: checkSet },
      { since: 25, check: unlessOnWindows(checkSet) },
    ],
  },
];
