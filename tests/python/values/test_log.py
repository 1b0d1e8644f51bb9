"""MjLogConfig and MjLogMessage."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import condyle


def test_a_new_configuration_is_empty_and_the_usual_one_writes_everywhere() -> None:
    config = condyle.MjLogConfig()
    assert config.logto_console is False
    assert config.logto_file is False
    assert config.logfile == ""
    assert config.topics == 0
    usual = condyle.MjLogConfig.get()
    assert usual.logto_console is True
    assert usual.logto_file is True
    assert usual.logfile == "MUJOCO_LOG.TXT"
    assert usual.topics == 0


def test_a_configuration_is_a_copy_until_it_is_set() -> None:
    before = condyle.MjLogConfig.get()
    config = condyle.MjLogConfig.get()
    assert config == before
    config.topics = 3
    config.logto_file = False
    config.logfile = "other.txt"
    assert config != before
    assert condyle.MjLogConfig.get() == before
    try:
        config.set()
        assert condyle.MjLogConfig.get() == config
        assert condyle.MjLogConfig.get().logfile == "other.txt"
    finally:
        before.set()
    assert condyle.MjLogConfig.get().topics == 0
    same = copy.copy(config)
    assert same == config
    assert same is not config


def test_members_of_a_configuration_have_types() -> None:
    config: Any = condyle.MjLogConfig()
    for name, wrong in (("logto_console", "x"), ("topics", "x"), ("logfile", 3)):
        with pytest.raises(TypeError):
            setattr(config, name, wrong)


def test_a_message_has_texts_that_python_can_not_give() -> None:
    message: Any = condyle.MjLogMessage()
    assert (message.level, message.topic, message.line) == (0, 0, 0)
    assert message.timestamp is False
    assert message.subject == ""
    assert (message.body, message.func, message.file) == (None, None, None)
    message.subject = "abc"
    message.level = condyle.mjtLogLevel.mjLOG_WARNING
    message.timestamp = True
    assert message.subject == "abc"
    assert message.level == 2
    for name in ("body", "func", "file"):
        with pytest.raises(AttributeError):
            setattr(message, name, "x")
