/** The stage that drops the unknown fields which webhooks have added to a custom resource: validating ones may see them. */
import type { Attempt } from '../attempt.js';
import { dropUnknown } from '../decode/decode.js';

export function dropAddedFields({ write, object }: Attempt): void {
  if (write.mayHoldUnknown) dropUnknown(write.resource, object);
}
