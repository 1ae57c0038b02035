/** CSIDriver: which changes make a new generation, and its columns. */
import { defineCSIDriverHandlers } from '../../generated/storage.platform.io/v1/csidrivers/handlers.js';
import type { CSIDriver } from '../../generated/storage.platform.io/v1/csidrivers/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { generateNameStem } from '../../runtime/objects/names/names.js';

/** Fields that node agents act upon: changing one makes a new generation. */
const countedFields = ['requiresRepublish', 'seLinuxMount', 'tokenRequests'] as const;

export const defineCSIDrivers = (): KindHandlers =>
  defineCSIDriverHandlers({
    validateName: driverNameProblems,
    repeatsErrors: 'spec.tokenRequests',
    prepareForUpdate(driver, old) {
      const before = old.metadata.generation;
      driver.metadata.generation = countsAsChange(driver, old) ? (before ?? 0) + 1 : before;
    },
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
  const form =
    "must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [
    ...(name.length > maxName ? [`must be no more than ${maxName} characters`] : []),
    ...(driverName.test(name) ? [] : [`${form} (e.g. 'disk.example.com')`]),
  ];
}

function countsAsChange({ spec }: DraftObject<CSIDriver>, old: DraftObject<CSIDriver>): boolean {
  return countedFields.some((field) => !equal(spec?.[field], old.spec?.[field]));
}
