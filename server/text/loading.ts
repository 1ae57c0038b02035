/** Says how far the reading of what is stored is, for people. */
import type { LoadProgress } from '../../runtime/contract/index.js';

/** As in `reads what is stored: 450,000 records, 45 %`. */
export function loadingText({ records, share }: LoadProgress): string {
  const part = share === undefined ? '' : `, ${Math.floor(share * 100)} %`;
  return `reads what is stored: ${records.toLocaleString('en')} records${part}`;
}
