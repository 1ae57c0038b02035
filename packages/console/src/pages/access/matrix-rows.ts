/** The rows of the matrix: one for each subject and resource. */
import type { MatrixSubject } from '../../../../../server/access/matrix.js';
import { subjectText } from '../../../../../server/access/policy.js';
import { resourceName } from '../../../../../server/access/question.js';

export interface MatrixRow {
  readonly subject: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Verbs that are for some names only. */
  readonly limited: readonly string[];
}

export const matrixRows = (subjects: readonly MatrixSubject[]): readonly MatrixRow[] =>
  subjects.flatMap((subject) =>
    subject.resources.map(({ verbs, limited, subresource, ...resource }) => ({
      subject: subjectText(subject),
      resource: subresource === '' ? resourceName(resource) : `${resourceName(resource)}/${subresource}`,
      verbs,
      limited,
    })),
  );

/** Returns the rows in sight and a few around them: from `from` to before `to`. */
export function rowsInSight(
  count: number,
  { top, height, row }: { readonly top: number; readonly height: number; readonly row: number },
): { readonly from: number; readonly to: number } {
  const around = 10;
  const from = Math.max(0, Math.floor(top / row) - around);
  return {
    from: Math.min(from, Math.max(0, count - 1)),
    to: Math.min(count, Math.ceil((top + height) / row) + around),
  };
}
