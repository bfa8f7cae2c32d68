/** A file that was split, because it locked several tables in one transaction. */
export interface SplitMigration {
  readonly name: string;
  /** Of the whole file, as databases have it that applied it before it was split. */
  readonly checksum: string;
  /** The last of its parts, which have its number and a letter. */
  readonly last: string;
}

export const SPLIT_MIGRATIONS: readonly SplitMigration[] = [
  {
    name: '0002_ceremonies',
    checksum: '862249fb84b2c6fb9155da38bc42490a038fd30084fdf8c5aa24ad94684dcad8',
    last: '0002c_identity_devices',
  },
  {
    name: '0003_proof_pairing',
    checksum: 'fdc1a53ccd45d2a3c52860c2e7c6f9fd5124821e09522957a9b74e8cad25a08c',
    last: '0003b_paired_sessions',
  },
  {
    name: '0004_sso',
    checksum: 'd12b7bdbf4a8673998be046800d02386f86a4aa5b05b9ac4a2eb43f1d2728b78',
    last: '0004b_simulated_sessions',
  },
  {
    name: '0012_count_devices',
    checksum: 'a0300742aed0319badd986a783163957726043caf766a2a6b8674f9cce0514d6',
    last: '0012c_earlier_devices',
  },
  {
    name: '0013_count_tenant_users',
    checksum: '4aedd6103e665c8c5d8cd17600ef5514114d44d23eb73576d077c1004ea5b052',
    last: '0013b_earlier_users',
  },
  {
    name: '0014_count_verifications',
    checksum: '3c48db1bf7b3aa429076018ef105460a9e721d4ff91d72b8265925d14c0d53bf',
    last: '0014b_earlier_verifications',
  },
  {
    name: '0015_count_attendance',
    checksum: '3d260f30b44a029c292043ebb342b1fa8e9f8f19ff4013d05230c55d13db0311',
    last: '0015b_earlier_attendance',
  },
  {
    name: '0016_filters',
    checksum: '27d20745f4b723a21256baa805f4df04ec51cf94ec23d36da8ffa21b87848f66',
    last: '0016d_filter_attendance',
  },
  {
    name: '0018_spread',
    checksum: '9c89af45de10a2110b305dc3eb6d320dfb75d4eb4ee652c79270dbf0ae0a6bc7',
    last: '0018f_check_heads',
  },
  {
    name: '0019_search',
    checksum: '080649418308f4695e4365da43ce3b9ef469ca2244de8129ee40f888a909f62a',
    last: '0019c_search_verifications',
  },
  {
    name: '0020_console_data',
    checksum: '93d04286e982a6347fb3d08b414386892646f887d36109eed90e565c1befb6c1',
    last: '0020b_request_log',
  },
  {
    name: '0022_pairing_relay',
    checksum: '6a93472f66308f28f7a18c8168e11ac2f4be7467e1640e82f65716ffb8a01ed3',
    last: '0022b_wrong_numbers',
  },
  {
    name: '0023_webhooks',
    checksum: 'c355c1d1738c64ab0fcdd558d3d16b84a5b7bab7f5bf692ced98941c3ff19e69',
    last: '0023b_quota_threshold',
  },
  {
    name: '0024_openid_provider',
    checksum: '9d695abda9d8e94c4af0dceaf738207d0cbfc6ffbe5db00ee830f4c204c0e211',
    last: '0024b_oidc_pairing',
  },
];

/** The file that this one is a part of. */
export const wholeOf = (name: string): SplitMigration | undefined =>
  /^\d{4}[a-z]/.test(name)
    ? SPLIT_MIGRATIONS.find((whole) => whole.name.slice(0, 4) === name.slice(0, 4))
    : undefined;
