/** DeviceTaintRule: its taint, and the names of the devices that it selects. */

import { defineDeviceTaintRuleHandlers } from '../../generated/resource.platform.io/v1beta2/devicetaintrules/handlers.js';
import type { DeviceTaintRule } from '../../generated/resource.platform.io/v1beta2/devicetaintrules/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { dns1123Label } from '../../runtime/objects/names/name-checks.js';
import { conditionErrors } from '../shared/conditions.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';
import { checkPoolName } from './device-names.js';
import { checkTaint } from './device-taints.js';

type Rule = DraftObject<DeviceTaintRule>;

export const defineDeviceTaintRules = (): KindHandlers =>
  defineDeviceTaintRuleHandlers({
    prepareForCreate(rule) {
      rule.status = {};
      addTime(rule);
    },
    prepareForUpdate: (rule, old) => addTime(rule, old),
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status'
        ? conditionErrors(status?.conditions, 'status.conditions')
        : firstErrors(checkSpec(spec)),
  });

/** Sets the time at which the taint was added. A taint with another effect counts as a new one. */
function addTime({ spec }: Rule, old?: Rule): void {
  const taint = spec?.taint;
  if (!taint || taint.timeAdded) return;
  const before = old?.spec?.taint;
  const isSame = before !== undefined && equal({ ...before, timeAdded: undefined }, { ...taint, timeAdded: undefined });
  taint.timeAdded = (isSame ? before.timeAdded : undefined) ?? `${new Date().toISOString().slice(0, 19)}Z`;
}

function* checkSpec({ deviceSelector: { driver, pool, device } = {}, taint }: Rule['spec'] = {}): FieldErrors {
  if (driver !== undefined) yield* checkDriverName(driver, 'spec.deviceSelector.driver');
  if (pool !== undefined) yield* checkPoolName(pool, 'spec.deviceSelector.pool');
  if (device !== undefined) yield* checkText('spec.deviceSelector.device', device, dns1123Label);
  yield* checkTaint(taint ?? {}, 'spec.taint');
}
