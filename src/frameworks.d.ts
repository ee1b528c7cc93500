/** The bare tag in React's JSX and in Vue's templates, known as soon as anything of this package is imported. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
// Import these types by name: inside an augmentation, some compilers do not find them through `export *`.
import type { AllowedComponentProps, HTMLAttributes as TemplateAttributes, VNodeProps } from 'vue';
import type { PartnerDialer } from './element.ts';
import type {
  DialerProperties,
  DialerTagAttributes,
  DialerTagListeners,
  DialerTemplateListeners,
} from './element/public-names.ts';

type JsxTag = DialerProperties & DialerTagAttributes & DialerTagListeners;
type TemplateTag = DialerProperties & DialerTemplateListeners;
type JsxProps = DetailedHTMLProps<HTMLAttributes<PartnerDialer>, PartnerDialer>;
type TemplateProps = Omit<TemplateAttributes, 'lang'> & VNodeProps & AllowedComponentProps;

// A page has one of the two, or none; what is not installed cannot be augmented.
// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'partner-dialer': JsxTag & Omit<JsxProps, keyof JsxTag>;
    }
  }
}

// @ts-ignore
declare module 'vue' {
  interface GlobalComponents {
    'partner-dialer': new () => PartnerDialer & { readonly $props: TemplateTag & TemplateProps };
  }
}
