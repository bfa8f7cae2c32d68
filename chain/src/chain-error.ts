/** The chain cannot be used now: nothing is known to have been sent. The message never holds the RPC's address. */
export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError';
}

/** The contracts cannot be put on that chain; the message says why and what to do. */
export class DeploymentError extends ChainUnavailableError {}

/** What must hold before anything is sent to a chain, and does not. `state` names it for health and runbooks. */
export class ChainStateError extends Error {
  override readonly name = 'ChainStateError';
  readonly state: ChainFault;

  constructor(state: ChainFault, message: string) {
    super(message);
    this.state = state;
  }
}

export type ChainFault =
  | 'wrong_chain_id'
  | 'wrong_code'
  | 'not_the_relayer'
  | 'no_funds'
  | 'refused'
  | 'fees_too_high'
  | 'gas_too_high'
  | 'chain_ahead'
  | 'root_differs';
