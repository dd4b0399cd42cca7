"""The language buttons reach the settings file through Jupyter's server."""

import json
from types import SimpleNamespace

import pytest
from tornado.web import HTTPError

from bilingual import server
from bilingual.setting import settings_file


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path / "data"))


def put(body):
    """Call the handler with this body as an authenticated page would; return the status."""
    sent = []
    page = SimpleNamespace(
        get_json_body=lambda: body,
        set_status=sent.append,
        finish=lambda: None,
        current_user="reader",
    )
    server.LanguageHandler.put(page)
    return sent


@pytest.mark.parametrize("choice", ["zh", "en", "both"])
def test_a_choice_is_kept(choice):
    assert put(choice) == [204]
    assert json.loads(settings_file().read_text(encoding="utf-8")) == {"language": choice}


def test_anything_else_is_refused_and_nothing_is_kept(subtests):
    for body in ["fr", None, 3, ["zh"], {"language": "zh"}]:
        with subtests.test(body=body):
            with pytest.raises(HTTPError) as raised:
                put(body)
            assert raised.value.status_code == 400
            assert not settings_file().exists()


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(HTTPError) as raised:
        put("zh")
    assert raised.value.status_code == 500


def loaded(connection=object):
    """Return the addresses and the settings of a server that has loaded the extension."""
    added = []
    app = SimpleNamespace(
        settings={"base_url": "/hub/", server.CONNECTION: connection},
        add_handlers=lambda host, rules: added.append((host, rules)),
    )
    server._load_jupyter_server_extension(SimpleNamespace(web_app=app))
    return added, app.settings


def test_the_address_lies_below_that_of_the_server():
    added, _ = loaded()
    assert added == [(".*$", [("/hub/posenc/language", server.LanguageHandler)])]
    assert server._jupyter_server_extension_points() == [{"module": "bilingual.server"}]


def test_what_the_kernel_says_leaves_at_once_whatever_the_way_to_it():
    done = []

    class Gateway:
        websocket_handler = SimpleNamespace(set_nodelay=lambda value: done.append(value))

        def connect(self):
            done.append("connected")
            return "future"

    _, settings = loaded(Gateway)
    assert settings[server.CONNECTION]().connect() == "future"
    assert done == [True, "connected"]
