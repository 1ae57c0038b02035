/** LeaseCandidate: the versions of a candidate, and the strategy by which one is chosen. */
import { defineLeaseCandidateHandlers } from '../../generated/coordination.platform.io/v1alpha2/leasecandidates/handlers.js';
import type { LeaseCandidateSpec } from '../../generated/types/coordination/v1beta1/types.js';
import type { Draft, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { compareSemanticVersions, parseSemanticVersion } from '../shared/semantic-versions.js';

/** The strategy that the server itself carries out. */
const oldestEmulation = 'OldestEmulationVersion';

export const defineLeaseCandidates = (): KindHandlers =>
  defineLeaseCandidateHandlers({
    metadataChecks: 'any finalizers',
    errorOrder: ['leaseName', 'emulationVersion', 'binaryVersion', 'strategy'].map((name) => `spec.${name}`),
    validate: ({ spec = {} }) => firstErrors(checkSpec(spec)),
    columns: {
      LeaseName: ({ spec }) => spec?.leaseName ?? '',
      BinaryVersion: ({ spec }) => spec?.binaryVersion ?? '',
      EmulationVersion: ({ spec }) => spec?.emulationVersion ?? '',
    },
  });

/** A program emulates no version after its own. */
function* checkSpec({
  binaryVersion = '',
  emulationVersion = '',
  strategy = '',
}: Draft<LeaseCandidateSpec>): FieldErrors {
  const rule = 'must be a valid semantic version';
  const emulated = parseSemanticVersion(emulationVersion);
  const binary = parseSemanticVersion(binaryVersion);
  if (emulationVersion && !emulated) yield invalidValue('spec.emulationVersion', emulationVersion, rule);
  if (binaryVersion && !binary) yield invalidValue('spec.binaryVersion', binaryVersion, rule);
  if (binary && emulated && compareSemanticVersions(binary, emulated) < 0) {
    yield invalidValue('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`');
  }
  if (strategy === oldestEmulation && !emulated) {
    yield required('spec.emulationVersion', `must be specified when \`strategy\` is '${oldestEmulation}'`);
  }
  if (strategy !== '') yield* checkStrategy(strategy);
}

/** A strategy is the server's own, or has a domain. Errors name the field twice, as in the reference. */
function* checkStrategy(strategy: string): FieldErrors {
  const path = 'spec.strategy.strategy';
  if (strategy.includes('/')) yield* checkText(path, strategy, qualifiedNameCheck);
  else if (strategy !== oldestEmulation) yield notSupported(path, strategy, [oldestEmulation]);
}
