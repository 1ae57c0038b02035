/** PodTemplate: the defaults, rules and columns of a template for pods. */
import type { PodTemplate } from '../../generated/core/v1/podtemplates/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { containerCell, labelsText } from '../apps/workload-cells.js';
import { canonicalizePodTemplate, podTemplateWarnings, validatePodTemplate } from './pod-spec/pod-template.js';

export const definePodTemplateStrategy = (names: Naming): Strategy =>
  defineStrategy<PodTemplate>('PodTemplate', {
    canonicalize: ({ template }) => canonicalizePodTemplate(template),
    validate: ({ template }) => validatePodTemplate(template, 'template', names),
    warnings: ({ template }) => podTemplateWarnings(template, 'template', names),
    cell: ({ template }, column) =>
      column === 'Pod Labels' ? labelsText(template?.metadata?.labels) : containerCell(template, column),
  });
