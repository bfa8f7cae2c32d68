/** The blockchain is unavailable. It's unknown whether anything was sent. The message never contains the RPC's address. */
export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError';
}

/** The contracts cannot be deployed. The message says why and what to do. */
export class DeploymentError extends ChainUnavailableError {}

/** A precondition for sending transactions failed. `state` identifies it in health and runbooks. */
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
