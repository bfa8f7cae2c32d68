import type {
  Site,
  SiteCreateParams,
  SiteListParams,
  SitePage,
  SitePresence,
  SiteUpdateParams,
} from '../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/** `svc.sites`: places of work, with their time zone and rules. */
export class Sites {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a site. The first one turns working time on: `keys` are then the keys that still read everybody's attendance. Retried safely.
   * Scope `sites:write`.
   */
  create(site: SiteCreateParams, options?: RequestOptions): Promise<Reply<'createSite'>> {
    return this.#transport.call('createSite', { body: site }, options);
  }

  /** A site by id. Scope `sites:read`. */
  async get(siteId: string, options?: RequestOptions): Promise<Site> {
    return (await this.#transport.call('getSite', { path: { siteId } }, options)).site;
  }

  /** All sites, oldest first. Scope `sites:read`. */
  list(filter: SiteListParams = {}, options?: RequestOptions): Pages<Site, SitePage> {
    return listOf(this.#transport, 'listSites', 'sites', filter, options);
  }

  /** Changes the given fields. Months that were closed keep their time zone. Scope `sites:write`. */
  async update(siteId: string, changes: SiteUpdateParams, options?: RequestOptions): Promise<Site> {
    return (await this.#transport.call('updateSite', { path: { siteId }, body: changes }, options)).site;
  }

  /** Who is on site now. Scope `attendance:read`. */
  presence(siteId: string, options?: RequestOptions): Promise<SitePresence> {
    return this.#transport.call('getSitePresence', { path: { siteId } }, options);
  }
}
