/** Warns about formats in schemas that the server does not check. */

import { stringAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import { checkedFormat, type LaterFormats } from '../../../runtime/schema/index.js';
import { withAllBelow } from '../../../runtime/schema/structural/index.js';
import type { Spec } from '../definition-versions.js';

/** Returns a warning for each unknown format of a definition that the stored one does not have. */
export function formatWarnings(spec: Spec = {}, old: Spec | undefined, known: LaterFormats): readonly string[] {
  const before = new Set(unknownFormats(old, known));
  return [...new Set(unknownFormats(spec, known))]
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${quote(format)}`);
}

function* unknownFormats(spec: Spec | undefined, known: LaterFormats): Generator<string> {
  for (const { schema } of spec?.versions ?? []) {
    if (schema?.openAPIV3Schema === undefined) continue;
    for (const part of withAllBelow(schema.openAPIV3Schema)) {
      const format = stringAt(part, 'format');
      if (format !== '' && !isKnown(stringAt(part, 'type'), format, known)) yield format;
    }
  }
}

/** `quantity` is a known format, although the server accepts every text for it. */
const isKnown = (type: string, format: string, known: LaterFormats): boolean =>
  checkedFormat({ type, format }, known) !== undefined || (format === 'quantity' && (type === '' || type === 'string'));
