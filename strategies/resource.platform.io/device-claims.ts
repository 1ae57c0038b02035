/** The devices that a claim asks for, in claims and in templates: requests, constraints and settings. */

import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
} from '../../generated/types/resource/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Release } from '../../runtime/objects/release.js';
import { checkName, checkText, type FieldErrors } from '../shared/field-checks.js';
import { checkConfiguration, checkFullName } from './device-names.js';
import { checkSelectors } from './device-selectors.js';
import { checkToleration, defaultTolerations } from './device-taints.js';

/** Requests by name, each with the names of its choices. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

type Choice = Draft<DeviceSubRequest> | Draft<ExactDeviceRequest>;

/** Fills in how many devices each request is for. */
export function defaultRequests({ requests = [] }: Draft<DeviceClaim> = {}): void {
  for (const { exactly, firstAvailable = [] } of requests) {
    for (const choice of exactly ? [exactly, ...firstAvailable] : firstAvailable) {
      choice.allocationMode ||= 'ExactCount';
      if (choice.allocationMode === 'ExactCount') choice.count ||= 1;
      defaultTolerations(choice.tolerations);
    }
  }
}

/** Returns the names that constraints, settings and results may refer to. */
export const requestNamesOf = ({ requests = [] }: Draft<DeviceClaim> = {}): RequestNames =>
  new Map(
    requests.map(({ name = '', firstAvailable = [] }) => [name, new Set(firstAvailable.map((one) => one.name ?? ''))]),
  );

/** Checks everything that a new claim asks for. */
export function* checkDeviceClaim(claim: Draft<DeviceClaim> = {}, path: string, release: Release): FieldErrors {
  const names = requestNamesOf(claim);
  for (const [i, request] of (claim.requests ?? []).entries()) {
    yield* checkRequest(request, `${path}.requests[${i}]`, release);
  }
  for (const [i, constraint] of (claim.constraints ?? []).entries()) {
    yield* checkConstraint(constraint, `${path}.constraints[${i}]`, names);
  }
  for (const [i, { requests = [], opaque }] of (claim.config ?? []).entries()) {
    yield* checkReferences(requests, `${path}.config[${i}].requests`, names);
    yield* checkConfiguration(opaque, `${path}.config[${i}]`);
  }
}

/** A request is either exact or a list of choices. */
function* checkRequest(
  { name = '', exactly, firstAvailable = [] }: Draft<DeviceRequest>,
  path: string,
  release: Release,
): FieldErrors {
  yield* checkName(`${path}.name`, name, dns1123Label);
  const rule = 'exactly one of `exactly` or `firstAvailable` is required';
  if (exactly && firstAvailable.length > 0) {
    yield invalidValue(path, null, `${rule}, but multiple fields are set`);
    return;
  }
  if (exactly) yield* checkChoice(exactly, `${path}.exactly`, release);
  else if (firstAvailable.length === 0) yield required(path, rule);
  for (const [i, choice] of firstAvailable.entries()) {
    yield* checkName(`${path}.firstAvailable[${i}].name`, choice.name ?? '', dns1123Label);
    yield* checkChoice(choice, `${path}.firstAvailable[${i}]`, release);
  }
}

function* checkChoice(choice: Choice, path: string, release: Release): FieldErrors {
  yield* checkName(`${path}.deviceClassName`, choice.deviceClassName ?? '', dns1123Subdomain);
  yield* checkSelectors(choice.selectors, `${path}.selectors`, release);
  yield* checkMode(choice, path);
  for (const [i, toleration] of (choice.tolerations ?? []).entries()) {
    yield* checkToleration(toleration, `${path}.tolerations[${i}]`);
  }
}

/** Only an exact count has a number of devices. */
function* checkMode({ allocationMode: mode = '', count = 0 }: Choice, path: string): FieldErrors {
  const field = `${path}.count`;
  if (mode === 'ExactCount') {
    if (count <= 0) yield invalidValue(field, count, 'must be greater than zero');
  } else if (mode === 'All') {
    if (Number(count) !== 0) yield invalidValue(field, count, "must not be specified when allocationMode is 'All'");
  } else yield notSupported(`${path}.allocationMode`, mode, ['All', 'ExactCount']);
}

function* checkConstraint(constraint: Draft<DeviceConstraint>, path: string, names: RequestNames): FieldErrors {
  const { requests = [], matchAttribute: same, distinctAttribute: distinct } = constraint;
  yield* checkReferences(requests, `${path}.requests`, names);
  const rule = 'exactly one of "matchAttribute" or "distinctAttribute" is required';
  if (same !== undefined && distinct !== undefined) {
    yield invalidValue(path, null, `${rule}, but multiple fields are set`);
  } else if (same !== undefined) yield* checkFullName(same, `${path}.matchAttribute`);
  else if (distinct !== undefined) yield* checkFullName(distinct, `${path}.distinctAttribute`);
  else yield required(path, rule);
}

function* checkReferences(references: readonly string[], path: string, names: RequestNames): FieldErrors {
  for (const [i, reference] of references.entries()) yield* checkReference(reference, `${path}[${i}]`, names);
}

/** Checks the name of a request, or of one of its choices after a slash. */
export function* checkReference(reference: string, path: string, names: RequestNames): FieldErrors {
  const rule = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const [name = '', choice, ...more] = reference.split('/');
  if (more.length > 0) {
    yield invalidValue(path, reference, rule);
    return;
  }
  yield* checkText(path, name, dns1123Label);
  if (choice !== undefined) yield* checkText(path, choice, dns1123Label);
  const choices = names.get(name);
  if (!choices || (choice !== undefined && !choices.has(choice))) yield invalidValue(path, reference, rule);
}
