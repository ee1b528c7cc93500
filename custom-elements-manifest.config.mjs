/** Only what a page may use belongs into the manifest. */
const publicOnly = {
  name: 'public-only',
  packageLinkPhase({ customElementsManifest }) {
    for (const module of customElementsManifest.modules) {
      for (const declaration of module.declarations ?? []) {
        declaration.members = declaration.members?.filter(
          ({ privacy, name }) => (privacy ?? 'public') === 'public' && !name.startsWith('#'),
        );
        // The analyzer takes constructor arguments of other events for names; ours all have a description.
        declaration.events = declaration.events?.filter(({ description }) => description);
      }
    }
  },
};

export default {
  globs: ['src/element/partner-dialer.ts', 'src/index.ts', 'src/element/events.ts'],
  outdir: '.',
  litelement: true,
  plugins: [publicOnly],
};
