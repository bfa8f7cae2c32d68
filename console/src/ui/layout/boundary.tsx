import { Component, type ReactNode } from 'react';
import { Button } from '../forms/button';
import { forgetFailedCode } from '../lazy-component';
import { Row } from './stack';
import { Notice, Page } from './surface';

interface Props {
  readonly children: ReactNode;
  /** A different page resets the error. A React key would remove the previous page before the next one has loaded. */
  readonly page?: string;
}

/** Replaces a page whose code could not be loaded or that threw an error. */
export class Boundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  override componentDidUpdate({ page }: Props): void {
    if (this.state.failed && page !== this.props.page) this.#retry();
  }

  #retry(): void {
    forgetFailedCode();
    this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Page title="This page could not be loaded">
        <Notice tone="bad">
          Check your connection and try again. If that doesn’t help, reload the page: the service may have
          been updated since you opened it.
        </Notice>
        <Row>
          <Button
            look="primary"
            onClick={() => {
              document.querySelector('main')?.focus();
              this.#retry();
            }}
          >
            Try again
          </Button>
          <Button onClick={() => location.reload()}>Reload</Button>
        </Row>
      </Page>
    );
  }
}
