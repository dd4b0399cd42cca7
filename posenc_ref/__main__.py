"""`python -m posenc_ref CONFIG.json` explains a model's positions; see `posenc_ref.command`."""

from posenc_ref.command.arguments import main

if __name__ == "__main__":
    main()
