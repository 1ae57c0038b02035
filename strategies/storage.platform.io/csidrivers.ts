/** CSIDriver: which changes make a new generation, and its columns. */
import { defineCSIDriverHandlers } from '../../generated/storage.platform.io/v1/csidrivers/handlers.js';
import type { CSIDriver } from '../../generated/storage.platform.io/v1/csidrivers/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { generateNameStem } from '../../runtime/objects/names/names.js';
import { emulate, type Release } from '../../runtime/objects/release.js';

/** Fields that node agents act upon: changing one makes a new generation. */
const countedFields = ['requiresRepublish', 'seLinuxMount', 'tokenRequests'] as const;

export const defineCSIDrivers = (release: Release = emulate()): KindHandlers =>
  defineCSIDriverHandlers({
    validateName: driverNameProblems,
    ...(release.does('driverChangesCounted') ? {} : { checksAgain: 'spec.tokenRequests' }),
    prepareForUpdate(driver, old) {
      const before = old.metadata.generation;
      driver.metadata.generation = countsAsChange(driver, old, release) ? (before ?? 0) + 1 : before;
    },
    warn: (driver, old) => (release.does('tokensInSecretsAdvised') ? tokenWarnings(driver, old) : []),
    columns: {
      TokenRequests: ({ spec }) => spec?.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? '<unset>',
      Modes: ({ spec }) => spec?.volumeLifecycleModes?.join(',') || '<none>',
    },
  });

/** A driver may call itself by any domain, in letters of both cases. */
const driverName = /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/;
const maxName = 63;

function driverNameProblems(text: string, isPrefix: boolean): readonly string[] {
  const name = isPrefix ? generateNameStem(text) : text;
  if (driverName.test(name) && name.length <= maxName) return [];
  // The reference refuses nearly all of these too, in its words.
  const problems = dns1123Subdomain(name);
  return problems.length > 0 ? problems : [`must be no more than ${maxName} characters`];
}

function countsAsChange({ spec }: DraftObject<CSIDriver>, old: DraftObject<CSIDriver>, release: Release): boolean {
  if (release.does('driverChangesCounted')) return !equal(spec, old.spec);
  return countedFields.some((field) => !equal(spec?.[field], old.spec?.[field]));
}

const tokenFields = ['tokenRequests', 'serviceAccountTokenInSecrets'] as const;

/** Warns about tokens that a driver does not get as secrets: drivers may log them with the attributes of a volume. */
function tokenWarnings({ spec }: DraftObject<CSIDriver>, old: DraftObject<CSIDriver> | undefined): readonly string[] {
  const asks = (spec?.tokenRequests?.length ?? 0) > 0 && typeof spec?.serviceAccountTokenInSecrets !== 'boolean';
  const isSame = tokenFields.every((field) => equal(spec?.[field], old?.spec?.[field]));
  return asks && !(old && isSame) ? [tokenAdvice] : [];
}

const tokenAdvice =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';
