resource "google_container_cluster" "this" {
  # checkov:skip=CKV_GCP_12:Dataplane V2 enforces network policies by itself; the old add-on excludes it
  # checkov:skip=CKV_GCP_20:there is no IP endpoint whose networks could be listed; the DNS endpoint asks IAM
  # checkov:skip=CKV_GCP_65:the roster names single learners; a group would let each into every Pod
  # checkov:skip=CKV_GCP_66:one image of your own, named by its digest, in a namespace that admits restricted Pods only
  name     = var.name
  location = var.zone

  network         = google_compute_network.this.id
  subnetwork      = google_compute_subnetwork.this.id
  networking_mode = "VPC_NATIVE"

  # The pools are resources of their own, below.
  initial_node_count       = 1
  remove_default_node_pool = true
  deletion_protection      = false # a workshop's cluster must go away completely

  datapath_provider           = "ADVANCED_DATAPATH" # Dataplane V2: network policies are really enforced
  enable_shielded_nodes       = true
  enable_intranode_visibility = true

  ip_allocation_policy {
    cluster_secondary_range_name  = "pods"
    services_secondary_range_name = "services"
  }

  private_cluster_config {
    enable_private_nodes = true
  }

  # kubectl comes in through this name only; Google checks who it is before anything reaches the cluster.
  control_plane_endpoints_config {
    dns_endpoint_config {
      allow_external_traffic = true
    }
    ip_endpoints_config {
      enabled = false
    }
  }

  release_channel {
    channel = var.release_channel
  }

  maintenance_policy {
    recurring_window {
      start_time = "2026-01-03T04:00:00Z"
      end_time   = "2026-01-03T10:00:00Z"
      recurrence = "FREQ=WEEKLY;BYDAY=SA,SU"
    }
  }

  workload_identity_config {
    workload_pool = "${var.project_id}.svc.id.goog"
  }

  master_auth {
    client_certificate_config {
      issue_client_certificate = false
    }
  }

  logging_config {
    enable_components = ["SYSTEM_COMPONENTS"]
  }

  monitoring_config {
    enable_components = ["SYSTEM_COMPONENTS"]
    managed_prometheus {
      enabled = false # it would be paid for by the sample
    }
  }

  cost_management_config {
    enabled = true
  }

  addons_config {
    http_load_balancing {
      disabled = true # no Ingress here, so nothing can leave a forwarding rule behind
    }
  }

  cluster_autoscaling {
    autoscaling_profile = "OPTIMIZE_UTILIZATION" # empty GPU nodes go sooner
  }

  # Only for the pool that is removed at once.
  node_config {
    service_account = google_service_account.nodes.email
    shielded_instance_config {
      enable_secure_boot          = true
      enable_integrity_monitoring = true
    }
    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }

  resource_labels = local.labels

  lifecycle {
    ignore_changes = [node_config]
  }

  depends_on = [google_project_iam_member.nodes]
}

# The cluster's own Pods. Without a pool like this the GPU nodes could never go down to 0.
resource "google_container_node_pool" "system" {
  name       = "system"
  cluster    = google_container_cluster.this.id
  node_count = 1

  node_config {
    machine_type    = var.system_machine_type
    disk_type       = "pd-balanced"
    disk_size_gb    = 50
    image_type      = "COS_CONTAINERD"
    service_account = google_service_account.nodes.email
    oauth_scopes    = ["https://www.googleapis.com/auth/cloud-platform"]
    labels          = local.labels

    metadata = { disable-legacy-endpoints = "true" }

    workload_metadata_config {
      mode = "GKE_METADATA"
    }
    shielded_instance_config {
      enable_secure_boot          = true
      enable_integrity_monitoring = true
    }
  }

  management {
    auto_repair  = true
    auto_upgrade = true
  }
}
