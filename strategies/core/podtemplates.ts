/** PodTemplate: the defaults, rules and columns of a pod template. */
import { definePodTemplateHandlers } from '../../generated/core/v1/podtemplates/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { containersText, imagesText, isNewState, labelsText } from '../apps/workloads.js';
import type { Serving } from '../shared/serving.js';
import { canonicalizePodTemplate, podTemplateWarnings, validatePodTemplate } from './pod-spec/pod-template.js';

export const definePodTemplates = (serving: Serving): KindHandlers =>
  definePodTemplateHandlers({
    canonicalize: ({ template }) => canonicalizePodTemplate(template, serving),
    validate: ({ template }) => validatePodTemplate(template, 'template', serving),
    warn: (object, old) => (isNewState(object, old) ? podTemplateWarnings(object.template, 'template', serving) : []),
    columns: {
      Containers: ({ template }) => containersText(template),
      Images: ({ template }) => imagesText(template),
      'Pod Labels': ({ template }) => labelsText(template?.metadata?.labels),
    },
  });
