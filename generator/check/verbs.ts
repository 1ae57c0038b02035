/** Rules on the verbs of a resource: what is stored has some, what is virtual has those that a handler can answer. */
import type { Verb } from '../../runtime/contract/index.js';
import { get, list } from '../../runtime/schema/read.js';
import type { Report } from '../diagnostics/problem.js';
import type { ResourceModel } from '../model/model.js';
import type { Definition } from './format/document-kind.js';

const PATH = ['spec', 'verbs'];

/** The verbs that a handler can serve. */
const ANSWERED: readonly Verb[] = ['create', 'get', 'list'];

/** Checks the verbs of a native definition. */
export function checkVerbs({ value }: Definition, resource: ResourceModel, report: Report): void {
  const { verbs, virtual, withoutMetadata } = resource;
  if (withoutMetadata && verbs.length > 0)
    report({ code: 'KF4028', path: ['spec', 'withoutMetadata'], message: 'what has verbs has metadata' });
  const written = get(get(value, 'spec'), 'verbs');
  if (!Array.isArray(written)) return;
  if (!virtual) {
    if (written.length === 0)
      report({ code: 'KF4028', path: PATH, message: 'only a virtual kind can be without verbs' });
    return;
  }
  list(written).forEach((verb, index) => {
    const isAnswered = ANSWERED.some((each) => each === verb) || !verbs.some((each) => each === verb);
    if (isAnswered) return;
    const message = `nothing is stored of a virtual kind that could be asked for by ${String(verb)}`;
    report({ code: 'KF4028', path: [...PATH, index], message, suggestion: `it can have ${ANSWERED.join(', ')}` });
  });
}
