/** CSIDriver: which changes make a new generation, and its columns. */
import { defineCSIDriverHandlers } from '../../generated/storage.platform.io/v1/csidrivers/handlers.js';
import type { CSIDriver } from '../../generated/storage.platform.io/v1/csidrivers/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';

/** Fields that node agents act upon: changing one makes a new generation. */
const countedFields = ['requiresRepublish', 'seLinuxMount', 'tokenRequests'] as const;

export const defineCSIDrivers = (): KindHandlers =>
  defineCSIDriverHandlers({
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

function countsAsChange({ spec }: DraftObject<CSIDriver>, old: DraftObject<CSIDriver>): boolean {
  return countedFields.some((field) => !equal(spec?.[field], old.spec?.[field]));
}
