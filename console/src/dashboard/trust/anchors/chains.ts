interface Chain {
  readonly name: string;
  /** Where anybody can look up a transaction. */
  readonly explorer: string;
}

const CHAINS: Readonly<Record<number, Chain>> = {
  1: { name: 'Ethereum', explorer: 'https://etherscan.io' },
  10: { name: 'OP Mainnet', explorer: 'https://optimistic.etherscan.io' },
  100: { name: 'Gnosis', explorer: 'https://gnosisscan.io' },
  137: { name: 'Polygon', explorer: 'https://polygonscan.com' },
  8453: { name: 'Base', explorer: 'https://basescan.org' },
  42161: { name: 'Arbitrum One', explorer: 'https://arbiscan.io' },
  11155111: { name: 'Sepolia', explorer: 'https://sepolia.etherscan.io' },
};

export const nameOfChain = (id: number): string => CHAINS[id]?.name ?? `Chain ${id}`;

/** The page of a transaction in a public block explorer, for blockchains that have one. */
export function explorerOf(chainId: number, txHash: string): string | undefined {
  const chain = CHAINS[chainId];
  return chain && `${chain.explorer}/tx/${txHash}`;
}
