/** CSIDriver: which changes count, and how tables show it. */
import type { CSIDriver } from '../../generated/storage.platform.io/v1/csidrivers/types.js';
import type { DraftObject, Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import { equal } from '../../runtime/objects/equality.js';

/** Fields whose change makes a new generation: those that node agents act upon. */
const countedFields = ['requiresRepublish', 'seLinuxMount', 'tokenRequests'] as const;

export const defineCSIDriverStrategy = (): Strategy =>
  defineStrategy<CSIDriver>('storage.platform.io/CSIDriver', {
    repeatsErrors: 'spec.tokenRequests',
    prepareForUpdate(driver, old) {
      const before = old.metadata.generation;
      driver.metadata.generation = countsAsChange(driver, old) ? (before ?? 0) + 1 : before;
    },
    cell(driver, column) {
      if (column === 'TokenRequests') return audiences(driver);
      return column === 'Modes' ? modes(driver) : undefined;
    },
  });

function countsAsChange({ spec }: DraftObject<CSIDriver>, old: DraftObject<CSIDriver>): boolean {
  return countedFields.some((field) => !equal(spec?.[field], old.spec?.[field]));
}

const audiences = ({ spec }: DraftObject<CSIDriver>): string =>
  spec?.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? '<unset>';

const modes = ({ spec }: DraftObject<CSIDriver>): string => spec?.volumeLifecycleModes?.join(',') || '<none>';
