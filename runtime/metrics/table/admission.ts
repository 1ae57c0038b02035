/** Metrics of admission: its steps, plugins and policies, and the expressions of these and of schemas. */
import { admissionSeconds, usualSeconds } from '../buckets.js';
import { counter, histogram, type MetricGroup } from '../metric.js';

const check = ['enforcement_action', 'policy', 'policy_binding', 'state', 'validation_result'];

export const admission = {
  heading: 'Admission and expressions',
  metrics: {
    steps: histogram(
      'apiserver_admission_step_admission_duration_seconds',
      'Seconds of a step of admission: all plugins that may change a write, or all that may only refuse it.',
      admissionSeconds,
      { labels: ['operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    plugins: histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      'Seconds of one admission plugin.',
      admissionSeconds,
      { labels: ['name', 'operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    policyChecks: counter(
      'apiserver_validating_admission_policy_check_total',
      'Evaluations of admission policies by what followed.',
      { labels: check },
    ),
    policySeconds: histogram(
      'apiserver_validating_admission_policy_check_duration_seconds',
      'Seconds of an evaluation of an admission policy.',
      [0.0000005, 0.001, 0.01, 0.1, 1],
      { labels: check },
    ),
    podSecurityJudgements: counter(
      'pod_security_evaluations_total',
      'Pods held against the pod security policies of their namespaces, by policy and by what came of it.',
      {
        labels: [
          'decision',
          'mode',
          'ocp_namespace',
          'policy_level',
          'policy_version',
          'request_operation',
          'resource',
          'subresource',
        ],
      },
    ),
    podSecurityExemptions: counter(
      'pod_security_exemptions_total',
      'Writes of pods and workloads that pod security does not look at, as an exemption has it.',
      { labels: ['request_operation', 'resource', 'subresource'] },
    ),
    compilation: histogram(
      'apiserver_cel_compilation_duration_seconds',
      'Seconds in which the expressions of a policy were compiled.',
      usualSeconds,
    ),
    evaluation: histogram(
      'apiserver_cel_evaluation_duration_seconds',
      'Seconds in which the expressions of a policy or a schema were evaluated for one object.',
      usualSeconds,
    ),
  },
} as const satisfies MetricGroup;
