"""Preload module of the fork server: workers inherit all modules that are imported here."""

from mmsat.web.worker import warm_up

warm_up()
