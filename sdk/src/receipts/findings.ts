/** The result of a check in sentences. */
export interface Findings {
  readonly checked: readonly string[];
  readonly notChecked: readonly string[];
  readonly restsOn: readonly string[];
}
